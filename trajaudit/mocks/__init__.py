"""mocks."""
