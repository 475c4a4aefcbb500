"""Which files of a patch belong to the tests that decide about it?"""

import re
from collections.abc import Collection

_FOLDER = re.compile(r"^(?:.*?/)?tests?/", re.IGNORECASE)


def belongs_to_tests(path: str, graded: Collection[str]) -> bool:
    """Whether a file is one of the graded tests, or lies with one in a folder of tests.

    Args:
        path: File in the repository.
        graded: Files of tests that decide. The outermost folder `test` or `tests` around one of
            them holds what it imports, is configured by, or shadows the project with.
    """
    folders = {found[0] for one in graded if (found := _FOLDER.match(one))}
    return path in graded or any(path.startswith(folder) for folder in folders)
