"""A repository whose listed tests are weak, and patches that only a second look tells apart."""

from tests.audit.verifying.projects import Project

ACCOUNT = '''"""Accounts."""


class Account:
    """Money of one person."""

    def __init__(self, balance=0):
        self.balance = balance
        self.log = []

    def withdraw(self, amount):
        """Take money out."""
        self.balance += amount
        return self.balance

    def report(self):
        """Return a line."""
        return f"{self.balance} EUR"
'''
FIXED = ACCOUNT.replace(
    "        self.balance += amount\n",
    "        if amount > self.balance:\n            raise ValueError(amount)\n"
    "        self.log.append(amount)\n        self.balance -= amount\n",
)
"""The reference solution: it refuses what is too much, which no test asks for."""
REPORT = (
    "from ledger import Account\n\n\ndef test_report():\n"
    '    assert Account(5).report() == "5 EUR"\n'
)
FILES = {
    "ledger.py": ACCOUNT,
    "conftest.py": "",
    "tests/test_report.py": REPORT,
    "tests/test_obsolete.py": "from ledger import Account\n\n\ndef test_adds():\n"
    "    assert Account(5).withdraw(2) == 7\n",
    "tests/test_broken.py": "def test_broken():\n    assert False\n",
}
WITHDRAW = (
    "from ledger import Account\n\n\ndef test_withdraw():\n    assert Account(5).withdraw(2) == 3\n"
)
LEDGER = Project(
    "ledger",
    FILES,
    {"ledger.py": FIXED},
    {"tests/test_withdraw.py": WITHDRAW},
    ("tests/test_withdraw.py::test_withdraw",),
    (),
)
GOLD = LEDGER.patch(LEDGER.fix)


def changed(old: str, new: str, **more: str) -> str:
    """Return the plain fix, without what it refuses, with a text of it replaced."""
    plain = ACCOUNT.replace("self.balance += amount", "self.balance -= amount")
    assert old in plain
    files = {name.replace("__", "/") + ".py": text for name, text in more.items()}
    return LEDGER.patch({"ledger.py": plain.replace(old, new), **files})


INCOMPLETE = changed("-=", "-=")
BREAKS_REPORT = changed("} EUR", "} USD")
HIDES_IT = changed("} EUR", "} USD", tests__test_report=REPORT.replace("EUR", "USD"))
LEAVES = changed('return f"', '__import__("os")._exit(0)\n        return f"')
"""Reporting ends the process."""
BRANCHES = changed(
    "        return self.balance\n",
    "        if amount > 100:\n            return missing\n\n        return self.balance\n",
)
RENAMED = LEDGER.patch({"ledger.py": FIXED.replace("raise ValueError(amount)", "raise ValueError")})
"""As the reference solution, written otherwise."""
UNFIXED = LEDGER.patch({"ledger.py": ACCOUNT.replace("+= amount", "+= 2 * amount")})
