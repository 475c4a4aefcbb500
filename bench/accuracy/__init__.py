"""How often is an audit right? See `__main__`."""
