"""Images: built once from their inputs, and nothing of the host in them."""

import io
import os
import secrets
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.conftest import DEFINITIONS, SMALL, Start
from trajaudit.errors import SandboxError, UsageError
from trajaudit.sandbox import hostsettings
from trajaudit.sandbox.definition import load
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_provider import DockerProvider
from trajaudit.sandbox.images import Images, context_archive, split_tag

SECRET_INDEX = "https://user:hunter2@packages.invalid/simple"
TWO_STAGES = """\
ARG BASE
FROM ${BASE} AS build
COPY build-settings /build-settings
RUN cp /build-settings/pip.conf /tmp/x && test -s /tmp/x && echo made > /made
FROM ${BASE}
COPY --from=build /made /made
"""


def define(folder: Path, dockerfile: str, settings: str = "base: debian\n") -> str:
    """Write a definition with a name of its own and return the name."""
    name = f"test-{secrets.token_hex(4)}"
    (folder / name).mkdir()
    (folder / name / "Dockerfile").write_text(dockerfile)
    (folder / name / "sandbox.yaml").write_text(settings)
    return name


@pytest.fixture
def images(api: Api, tmp_path: Path) -> Iterator[Images]:
    images = Images(api, [tmp_path, DEFINITIONS])
    yield images
    for image in images.ls():
        if image.name.startswith("test-"):
            api.remove_image(image.reference)


@pytest.mark.docker
def test_an_unchanged_definition_is_built_once(images: Images, tmp_path: Path) -> None:
    name = define(tmp_path, "ARG BASE\nFROM ${BASE}\nCOPY note /note\n")
    (tmp_path / name / "note").write_text("1")
    first = images.build(name)

    assert images.build(name) == first
    (tmp_path / name / "note").write_text("2")
    assert images.build(name).image_id != first.image_id
    assert [(i.reference, i.current) for i in images.ls() if i.reference == first.reference] == [
        (first.reference, False)
    ]
    assert first.reference in [image.reference for image in images.prune()]


@pytest.mark.docker
def test_an_image_keeps_nothing_of_the_host_that_built_it(
    images: Images, api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", SECRET_INDEX)
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hunter2@proxy.invalid:3128")
    name = define(tmp_path, TWO_STAGES)
    image = images.build(name)

    told = f"{api.image(image.reference)} {api.image_history(image.reference)}"

    for word in ("hunter2", "packages.invalid", "proxy.invalid", "ca.crt"):
        assert word not in told


@pytest.mark.docker
def test_the_shipped_image_holds_neither_addresses_nor_certificates_of_the_host(
    docker: DockerProvider, api: Api, start: Start
) -> None:
    reference, _ = docker.prepare(SMALL)
    sandbox = start(docker)
    script = (
        "grep -rlsI -e build-settings -e index-url /opt/venv/pyvenv.cfg /opt/trajaudit "
        "/etc/pip.conf /etc/apt /etc/resolv.conf /root /home; ls -d /build-settings; "
        "find / -xdev -name ca.crt; cat /etc/apt/sources.list"
    )

    found = sandbox.exec(["sh", "-c", script], timeout_s=60)

    assert found.stdout == b""
    told = f"{api.image(reference)} {api.image_history(reference)}"
    for word in ["ca.crt", "pip.conf", *_addresses_of_this_host()]:
        assert word not in told


def _addresses_of_this_host() -> list[str]:
    names = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "HTTP_PROXY", "HTTPS_PROXY", "https_proxy")
    return [os.environ[name] for name in names if os.environ.get(name)]


@pytest.mark.docker
def test_the_shipped_image_can_do_what_agents_need(docker: DockerProvider, start: Start) -> None:
    sandbox = start(docker)
    tools = "git patch ps timeout tini tar python3 bash"
    imports = "import langgraph, langchain_core, langchain_openai, openai, mcp"

    assert sandbox.exec(["sh", "-c", f"command -v {tools}"], timeout_s=20).exit_code == 0
    result = sandbox.exec(["python3", "-c", imports], timeout_s=60)
    assert (result.exit_code, result.stderr) == (0, b"")


@pytest.mark.docker
def test_a_failed_build_shows_its_last_lines(images: Images, tmp_path: Path) -> None:
    name = define(tmp_path, "ARG BASE\nFROM ${BASE}\nRUN echo why; exit 3\n")

    with pytest.raises(SandboxError, match=r"(?s)why.*returned a non-zero code: 3"):
        images.build(name)


@pytest.mark.docker
@pytest.mark.parametrize("removed", ["/usr/bin/timeout", "/usr/bin/timeout /usr/bin/dash"])
def test_time_limits_hold_in_an_image_without_the_means(
    images: Images, api: Api, start: Start, tmp_path: Path, removed: str
) -> None:
    name = define(tmp_path, f'ARG BASE\nFROM ${{BASE}}\nRUN ["rm", "-f", {_quoted(removed)}]\n')
    images.build(name)
    provider = DockerProvider([tmp_path], api=api)
    sandbox = start(provider, spec=SMALL.model_copy(update={"image": name}))

    assert sandbox.exec(["true"], timeout_s=5).exit_code == 0
    result = sandbox.exec(["bash", "-c", "sleep 984 & sleep 984"], timeout_s=1)

    assert result.timed_out
    if "dash" in removed:
        assert sandbox.died() == "a command could not be ended at its time limit"
    else:
        assert sandbox.died() is None


def _quoted(words: str) -> str:
    return ", ".join(f'"{word}"' for word in words.split())


def test_settings_of_the_host_in_the_last_stage_are_refused(tmp_path: Path, api: Api) -> None:
    name = define(tmp_path, "ARG BASE\nFROM ${BASE}\nCOPY build-settings /x\n")

    with pytest.raises(UsageError, match="the last stage uses build-settings"):
        Images(api, [tmp_path]).build(name)


def test_bases_in_a_circle_are_refused(tmp_path: Path, api: Api) -> None:
    first = define(tmp_path, "FROM scratch\n")
    second = define(tmp_path, "FROM scratch\n", f"base: {first}\n")
    (tmp_path / first / "sandbox.yaml").write_text(f"base: {second}\n")

    with pytest.raises(UsageError, match="circle"):
        Images(api, [tmp_path]).reference(first)


def test_an_unknown_definition_lists_the_known_ones(api: Api) -> None:
    with pytest.raises(UsageError, match="known: debian, agent-base"):
        Images(api, [DEFINITIONS]).build("none")


def test_the_context_is_the_same_for_the_same_files(tmp_path: Path) -> None:
    name = define(tmp_path, "FROM scratch\n")
    (tmp_path / name / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / name / "run.sh").chmod(0o755)
    first = context_archive(load(tmp_path / name), {})
    (tmp_path / name / "Dockerfile").touch()

    again = context_archive(load(tmp_path / name), {"extra": b"1"})

    with tarfile.open(fileobj=io.BytesIO(again.getvalue())) as tar:
        assert {i.name: oct(i.mode) for i in tar} == {
            "Dockerfile": "0o644",
            "run.sh": "0o755",
            "extra": "0o644",
        }
    assert first.getvalue() == context_archive(load(tmp_path / name), {}).getvalue()


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("debian", ("debian", "latest")),
        ("debian:12", ("debian", "12")),
        ("host:5000/a/b", ("host:5000/a/b", "latest")),
        ("host:5000/a/b:1", ("host:5000/a/b", "1")),
        ("a@sha256:00", ("a", "sha256:00")),
    ],
)
def test_references_are_split(reference: str, parts: tuple[str, str]) -> None:
    assert split_tag(reference) == parts


def test_index_settings_without_host_paths_are_passed_on(tmp_path: Path) -> None:
    (tmp_path / ".pip").mkdir()
    (tmp_path / ".pip/pip.conf").write_text(
        "[global]\nindex-url = https://a.invalid\nextra-index-url = file:///x https://b.invalid\n"
    )
    bundle = tmp_path / "ca.pem"
    bundle.write_text("certificates")

    found = hostsettings.files(
        {"PIP_CERT": str(bundle), "PIP_INDEX_URL": "https://c.invalid"}, tmp_path
    )

    text = found["build-settings/pip.conf"].decode()
    assert found["build-settings/ca.crt"] == b"certificates"
    assert "index-url = https://c.invalid\n" in text
    assert "extra-index-url = https://b.invalid\n" in text
    assert "cert = /build-settings/ca.crt\n" in text
    assert "file:" not in text
