"""Pages of a list."""

from pager.links import links
from pager.pages import Pages

__all__ = ["Pages", "links"]
