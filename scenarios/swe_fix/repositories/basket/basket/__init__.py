"""A basket of a shop."""

from basket.model import Basket, Line

__all__ = ["Basket", "Line"]
