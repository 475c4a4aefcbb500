"""Bytes of an export to contacts."""


class ContactError(ValueError):
    """An export cannot be read."""


def read_contacts(data):
    """Return one dict for each contact; empty lines are passed over."""
    text = data.decode("utf-8")
    head, *rows = text.split("\n")
    names = head.split(";")
    found = []
    for number, row in enumerate(rows, start=2):
        if not row:
            continue
        fields = row.split(";")
        if len(fields) != len(names):
            raise ContactError(f"line {number} has {len(fields)} fields, not {len(names)}")
        found.append(dict(zip(names, fields)))
    return found
