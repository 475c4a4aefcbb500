"""Address books from files."""

from contacts.reading import ContactError, read_contacts

__all__ = ["ContactError", "read_contacts"]
