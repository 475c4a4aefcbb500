"""Pages on which people review trials, blind."""
