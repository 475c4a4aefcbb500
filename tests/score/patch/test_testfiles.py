"""What lies with graded tests in a folder of tests belongs to them; other code does not."""

import pytest

from trajaudit.score.patch.testfiles import belongs_to_tests


@pytest.mark.parametrize(
    ("path", "graded", "belongs"),
    [
        ("tests/helpers.py", "tests/unit/test_a.py", True),
        ("tests/__init__.py", "tests/test_a.py", True),
        ("tests/shop/core.py", "tests/test_a.py", True),
        ("Tests/helper.py", "Tests/test_a.py", True),
        ("src/pkg/io/tests/data.txt", "src/pkg/io/tests/test_a.py", True),
        ("src/pkg/tests/runner.py", "src/pkg/io/tests/test_a.py", False),
        ("django/test/client.py", "tests/client/tests.py", False),
        ("src/pkg/core.py", "tests/test_a.py", False),
        ("contests/core.py", "contests/test_a.py", False),
        ("test_a.py", "test_a.py", True),
        ("core.py", "test_a.py", False),
    ],
)
def test_a_file_belongs_to_the_tests_beside_it(path: str, graded: str, belongs: bool) -> None:
    assert belongs_to_tests(path, {graded, "other/test_b.py"}) is belongs
