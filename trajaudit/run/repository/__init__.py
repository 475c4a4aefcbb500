"""A repository that an agent changes: put into its sandbox, and taken out of it from outside."""
