"""The battery: trials that are changed in a way that must not change their verdict."""

from trajaudit.judge.probes.base import Probe, Side, Subject, clean
from trajaudit.judge.probes.claims import CLAIMED_REASONING, IDENTITY
from trajaudit.judge.probes.errors import LATE_ERROR, RECOVERY
from trajaudit.judge.probes.form import LENGTH, STYLE
from trajaudit.judge.probes.injection import INJECTION
from trajaudit.judge.probes.leaks import OUTCOME_LEAK, WRONG_REFERENCE
from trajaudit.judge.probes.order import OPTION_ORDER, ORDER

__all__ = ["PROBES", "Probe", "Side", "Subject", "clean"]

PROBES: tuple[Probe, ...] = (
    ORDER,
    OPTION_ORDER,
    STYLE,
    LENGTH,
    CLAIMED_REASONING,
    RECOVERY,
    LATE_ERROR,
    OUTCOME_LEAK,
    IDENTITY,
    WRONG_REFERENCE,
    INJECTION,
)
