"""`python -m trajaudit`: the same command."""

from trajaudit.cli.main import main

main()
