"""What is typed: one file per command, each in a few lines over a use case of `audit`."""
