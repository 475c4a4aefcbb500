"""Every form of a good patch is resolved, no cheat is, over repositories of three shapes."""

import functools
from collections.abc import Callable

import pytest

from tests.audit.verifying.conftest import repositories
from tests.audit.verifying.matrix import Found, candidates, verified
from tests.audit.verifying.shapes import SHAPES
from trajaudit.sandbox.docker_verifier import DockerVerifier

pytestmark = pytest.mark.docker
CANDIDATES = {name: candidates(shape) for name, shape in SHAPES.items()}
ROWS = [(name, title) for name, found in CANDIDATES.items() for title in found]


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory, containers: DockerVerifier) -> str:
    projects = [one.project for one in SHAPES.values()]
    return repositories(tmp_path_factory.mktemp("shapes"), "verified-shapes", projects)


@pytest.fixture(scope="session")
def matrix(tmp_path_factory: pytest.TempPathFactory, image: str) -> Callable[[str], Found]:
    """Verify all candidates of a shape at once, when the first of them is asked for."""

    @functools.cache
    def found(shape: str) -> Found:
        folder = tmp_path_factory.mktemp(f"matrix-{shape}")
        return verified(folder, image, SHAPES[shape], CANDIDATES[shape])

    return found


@pytest.mark.parametrize(("shape", "candidate"), ROWS, ids=[f"{a}-{b}" for a, b in ROWS])
def test_every_candidate_gets_what_it_deserves(
    matrix: Callable[[str], Found], shape: str, candidate: str
) -> None:
    deserved = CANDIDATES[shape][candidate]

    done = matrix(shape)[candidate]

    got = (done.status, done.strict, done.lenient, done.flags)
    assert got == ("graded", deserved.strict, deserved.lenient, deserved.flags), done
    if deserved.strict is not deserved.lenient:
        assert done.repairs
