"""Blind human review: what people say of trials, and how items get to them."""
