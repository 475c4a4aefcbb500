import pytest

from contacts import ContactError, read_contacts

PLAIN = "name;mail;note\nZoë;zoe@example.org;\nBo;bo@example.org;likes tea\n"


def test_each_line_is_a_contact():
    assert read_contacts(PLAIN.encode()) == [
        {"name": "Zoë", "mail": "zoe@example.org", "note": ""},
        {"name": "Bo", "mail": "bo@example.org", "note": "likes tea"},
    ]


def test_a_note_may_hold_a_line_separator():
    [found] = read_contacts("name;note\nBo;first\u2028second\x0cthird\n".encode())

    assert found["note"] == "first\u2028second\x0cthird"


def test_blanks_belong_to_a_field():
    [found] = read_contacts(b"name;note\nBo;  two blanks  \n")

    assert found["note"] == "  two blanks  "


def test_a_line_that_is_too_short_is_named():
    with pytest.raises(ContactError, match="line 3 has 1 fields, not 2"):
        read_contacts(b"name;mail\nBo;bo@example.org\nZoe\n")
