"""Whatever is later than the base of an instance is named: a model could have read it."""

import pytest

from tests.audit.verifying.beyond_projects import FIXED, LEDGER
from tests.audit.verifying.conftest import SHIPPED
from tests.audit.verifying.projects import write
from trajaudit.audit.verifying.beyond_history import check_history
from trajaudit.audit.verifying.beyond_tree import opened
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_findings import PatchFindingKind
from trajaudit.sandbox.docker_verifier import DockerVerifier

pytestmark = pytest.mark.docker
COMMIT = "git -c user.name=n -c user.email=e commit -qm"
LEAKS = {
    "clean": "git tag old",
    "tag": f"{COMMIT} later --allow-empty && git tag -a -m v v2 && git reset -q --hard HEAD~1",
    "branch": f"git checkout -qb next && {COMMIT} later --allow-empty && git checkout -q master",
    "remote": "git remote add origin https://example.com/x.git",
    "loose": f"{COMMIT} later --allow-empty && git reset -q --hard HEAD~1"
    " && git reflog expire --expire=now --all",
    "after": f"echo x >> ledger.py && {COMMIT} later . && {COMMIT} made --allow-empty",
    "file": "cp /ledger.py ledger.py && git add . && git reset -q --hard",
}
DOCKERFILE = """ARG BASE
FROM ${BASE}
COPY repository /repository
COPY ledger.py /ledger.py
RUN git config --global init.defaultBranch master && git config --global user.name n \\
 && git config --global user.email e
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("history")
    made = "git init -q && git add -A -f && " + f"{COMMIT} base"
    steps = [
        f"RUN cp -r /repository /{name} && cd /{name} && {made} && {leak}"
        for name, leak in LEAKS.items()
    ]
    write(
        folder / "leaking-repositories",
        {
            "Dockerfile": DOCKERFILE + "\n".join(steps) + "\n",
            "sandbox.yaml": "base: pytest-base\n",
            "ledger.py": FIXED,
        },
    )
    write(folder / "leaking-repositories" / "repository", LEDGER.files)
    found = DockerVerifier([folder, SHIPPED])
    try:
        return found.prepare("leaking-repositories")
    finally:
        found.close()


@pytest.mark.parametrize(
    ("leak", "trace"),
    [
        ("tag", "tag v2 leads to "),
        ("branch", "branch next leads to "),
        ("remote", "remote origin https://example.com/x.git"),
        ("loose", "1 commits that no branch or tag leads to, such as "),
        ("file", "ledger.py as the reference solution leaves it"),
    ],
)
def test_each_way_to_later_times_is_named(
    verifier: Verifier, image: str, leak: str, trace: str
) -> None:
    done = check_history(verifier, instance(image, leak))

    assert done.finding is not None, done
    assert done.finding.kind is PatchFindingKind.HISTORY_LEAK
    assert [one[: len(trace)] for one in done.finding.details] == [trace]


def test_a_repository_that_ends_at_its_base_is_clean(verifier: Verifier, image: str) -> None:
    assert check_history(verifier, instance(image, "clean")).status == "clean"


def test_commits_after_the_base_are_named(verifier: Verifier, image: str) -> None:
    late = instance(image, "after")
    with opened(verifier, late, None, tests=False) as place:
        said = place.tree.git("rev-list", "HEAD").stdout.decode().split()
    newest, made, base = said
    told = {
        commit: check_history(verifier, late.model_copy(update={"base_commit": commit}))
        for commit in (newest, made, base)
    }

    # The maker of an image may commit what changes no file.
    assert told[newest].status == told[made].status == "clean"
    finding = told[base].finding
    assert finding is not None
    assert finding.details == ("2 commits after the base change 1 files",)


def instance(image: str, leak: str) -> Instance:
    return LEDGER.instance(image).model_copy(update={"workdir": f"/{leak}"})
