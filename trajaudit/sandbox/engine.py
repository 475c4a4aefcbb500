"""Finds the container engine, or sets one up: `python -m trajaudit.sandbox.engine [--ensure]`."""

import argparse
import sys
from collections.abc import Sequence

from trajaudit.errors import NoEngineError
from trajaudit.sandbox.install import ensure_engine
from trajaudit.sandbox.locate import Engine, candidates, find_engine

__all__ = ["Engine", "candidates", "ensure_engine", "find_engine", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the engine; with `--ensure`, install and start one first where that is possible."""
    parser = argparse.ArgumentParser(prog="python -m trajaudit.sandbox.engine")
    parser.add_argument("--ensure", action="store_true", help="install and start one if needed")
    options = parser.parse_args(arguments)
    try:
        engine = ensure_engine(install=True) if options.ensure else find_engine()
    except NoEngineError as e:
        sys.stderr.write(f"{e}\n")
        return e.exit_code
    sys.stdout.write(f"{engine.url} {engine.version}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
