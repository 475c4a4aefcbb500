"""The use cases: the only layer that knows the whole flow."""
