"""Who pays what?"""

from bill.report import report
from bill.split import split

__all__ = ["report", "split"]
