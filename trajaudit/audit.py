"""The use cases: the only module that knows the whole flow."""
