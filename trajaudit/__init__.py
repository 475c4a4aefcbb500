"""trajaudit audits what AI agents did: runs, verdicts, findings and rates that hold."""

__version__ = "0.1.0"
