"""Recorded votes of judges that other people ran, put through this panel's logic."""
