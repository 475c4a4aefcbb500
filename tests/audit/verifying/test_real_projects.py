"""Real projects: nothing good is refused, no cheat is resolved, what does not fix is not either."""

import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.audit.verifying.candidates import Candidate, contents
from tests.audit.verifying.cheats import cheats
from tests.audit.verifying.forms import forms
from tests.audit.verifying.matrix import verified
from tests.audit.verifying.projects import write
from tests.audit.verifying.real_projects import SOURCES, NotToBeHadError, planted, unpacked
from tests.audit.verifying.shape import Shape
from trajaudit.datamodel.patch import PatchVerdict as V
from trajaudit.record.patch_files import load_instances
from trajaudit.sandbox.docker_verifier import DockerVerifier

pytestmark = [pytest.mark.docker, pytest.mark.slow]


@pytest.fixture(scope="session")
def planted_in(
    tmp_path_factory: pytest.TempPathFactory, containers: DockerVerifier
) -> tuple[str, Mapping[str, Shape]]:
    """Return an image of all projects, and what is in it."""
    try:
        return planted(tmp_path_factory.mktemp("real"), SOURCES)
    except NotToBeHadError as e:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(e))


def candidates(shape: Shape) -> dict[str, Candidate]:
    """Return the candidates of a real project: the forms that want tolerance, and all contents."""
    project = shape.project
    every = forms(project.patch(project.fix), f"/repositories/{project.name}")
    names = {"as git writes it", "empty"}
    wanted = {k: v for k, v in every.items() if k in names or v.strict is not v.lenient}
    return {**wanted, **contents(shape), **cheats(shape)}


PROJECTS = [one.name for one in SOURCES]


@pytest.mark.parametrize("project", PROJECTS)
def test_nothing_good_is_refused_and_no_cheat_is_resolved(
    planted_in: tuple[str, Mapping[str, Shape]], project: str, tmp_path: Path
) -> None:
    image, shapes = planted_in
    wanted = candidates(shapes[project])

    found = verified(tmp_path, image, shapes[project], wanted)

    got = {name: (one.strict, one.lenient, one.flags) for name, one in found.items()}
    assert got == {name: (one.strict, one.lenient, one.flags) for name, one in wanted.items()}
    assert [one.lenient for one in wanted.values()].count(V.RESOLVED) > 15


def test_an_archive_is_made_into_the_same_instance(
    planted_in: tuple[str, Mapping[str, Shape]], tmp_path: Path
) -> None:
    source = SOURCES[0]
    project = planted_in[1][source.name].project
    tree = unpacked(source, tmp_path)
    write(tree, project.files)
    (tree / source.added).unlink()
    with tarfile.open(tmp_path / "source.tar.gz", "w:gz") as tar:
        tar.add(tree, source.name)
    (tmp_path / "fix.diff").write_text(project.patch(project.fix))
    (tmp_path / "tests.diff").write_text(project.patch(project.tests))
    options = ["--gold", "fix.diff", "--tests", "tests.diff", "--id", "made", "--repeats", "1"]

    done = subprocess.run(
        [sys.executable, "-m", "trajaudit", "verify", "init", "source.tar.gz", *options],
        check=False, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    [made] = load_instances(tmp_path / "tasks.jsonl")
    assert set(made.fail_to_pass) == set(project.fail_to_pass)
    assert set(made.pass_to_pass) == set(project.pass_to_pass)
