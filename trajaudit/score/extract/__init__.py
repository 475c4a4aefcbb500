"""Answer readers: how a careful person reads a value, one file per kind of value."""
