"""Instances to verify: real projects with a planted bug, each in an image of its own."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.audit.verifying.projects import write
from tests.audit.verifying.real_projects import BROKEN, SHIPPED, SOURCES, planted
from tests.audit.verifying.shape import Shape
from trajaudit.sandbox.docker_verifier import DockerVerifier

WORKDIR = "/testbed"
WHOLE = ("marshmallow", "sqlparse")
"""Projects of which there is an instance with all of their tests, too."""
DOCKERFILE = """ARG BASE
FROM ${BASE}
RUN mv /repositories/NAME /testbed && ln -s /testbed /repositories/NAME
WORKDIR /testbed
"""
SCRIPT = """#!/bin/bash
set -uxo pipefail
cd /testbed
git config --global --add safe.directory /testbed
git checkout HEAD CHANGED
rm -f ADDED
git apply -v - <<'EOF_114329324912'
PATCHEOF_114329324912
: '>>>>> Start Test Output'
COMMAND
: '>>>>> End Test Output'
git checkout HEAD CHANGED
"""


COMMON = {
    "repo": "bench/bench",
    "version": "1",
    "base_commit": "HEAD",
    "environment_setup_commit": "HEAD",
    "problem_statement": "",
    "hints_text": "",
    "created_at": "",
    "log_parser": "parse_log_pytest_v2",
    "eval_type": "pass_and_fail",
}
"""What instances have to have, and is the same for all."""


@dataclass(frozen=True)
class Case:
    """One instance, its right patch, and the tests by themselves."""

    name: str
    image: str
    fields: dict[str, Any]
    """As in a file of instances that both harnesses read."""
    gold: str
    hangs: str
    """A patch under which the tests do not end."""
    bare: str
    """Shell text that does nothing but apply both patches from stdin and run the tests."""


def cases(few: bool) -> list[Case]:
    """Build the instances.

    Raises:
        NotToBeHadError: an archive cannot be fetched.
    """
    sources = [one for one in SOURCES if not few or one.name in WHOLE[:1]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, shapes = planted(folder, sources)
        containers = DockerVerifier([folder, SHIPPED])
        try:
            found = [_case(containers, folder, shape) for shape in shapes.values()]
            whole = [shapes[name] for name in WHOLE if name in shapes]
            return found + [_case(containers, folder, one, whole=True) for one in whole]
        finally:
            containers.close()


def _case(containers: DockerVerifier, folder: Path, shape: Shape, *, whole: bool = False) -> Case:
    """Return an instance; `whole`: with all tests of the project, which takes longer."""
    project = shape.project
    name = f"{project.name}-whole" if whole else project.name
    image = f"bench-{project.name}"
    files = {
        "Dockerfile": DOCKERFILE.replace("NAME", project.name),
        "sandbox.yaml": f"base: {BROKEN}\n",
    }
    write(folder / image, files)
    built = containers.prepare(image)
    tests, gold = project.patch(project.tests), project.patch(project.fix)
    asked = "tests" if whole else f"{shape.graded} {shape.added}"
    command = f"python -m pytest -rA -p no:cacheprovider {asked}"
    script = SCRIPT.replace("CHANGED", shape.graded).replace("ADDED", shape.added)
    module = next(iter(project.fix))
    hang = {module: project.files[module] + "\nimport time\n\ntime.sleep(900)\n"}
    return Case(
        name=name,
        image=built,
        fields={
            "instance_id": name,
            "patch": gold,
            "test_patch": tests,
            "FAIL_TO_PASS": list(project.fail_to_pass),
            "PASS_TO_PASS": list(project.pass_to_pass),
            "image": built,
            "workdir": WORKDIR,
            "eval_script": script.replace("PATCH", tests).replace("COMMAND", command),
            **COMMON,
        },
        gold=gold,
        hangs=project.patch(hang),
        bare=f"cd {WORKDIR} && git apply - && ({command} || true) > /tmp/log 2>&1",
    )
