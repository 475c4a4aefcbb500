"""One verification: a patch, a container, the tests, what was recorded."""
