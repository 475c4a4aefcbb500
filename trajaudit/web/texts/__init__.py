"""What the pages say, a module for each language."""
