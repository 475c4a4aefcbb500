"""Exchange rates."""

from rates.convert import Converter

__all__ = ["Converter"]
