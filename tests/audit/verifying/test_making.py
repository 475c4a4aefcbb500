"""The definition of an instance's image depends on the tree alone and runs nothing of it."""

import io
import tarfile

import pytest

from trajaudit.audit.verifying.making import definition_files, definition_name, project_name
from trajaudit.record.source_tree import SourceFile, Tree

PROJECT = b"""[project]
name = "my.shop"
version = "1.5"
scripts = {shop = "shop:main"}

[project.entry-points.pytest11]
shop = "shop.plugin"
"""


def tree(**files: bytes) -> Tree:
    return {path.replace("__", "/"): SourceFile(content) for path, content in files.items()}


def test_equal_trees_are_equal_definitions_and_keep_their_bytes() -> None:
    files: Tree = {
        "src/p/__init__.py": SourceFile(b"\xff\r\n"),
        "run": SourceFile(b"#!", executable=True),
        "link": SourceFile(b"src/p", link=True),
    }

    made = definition_files(files, "pytest-base", None)

    assert made == definition_files(dict(reversed([*files.items()])), "pytest-base", None)
    with tarfile.open(fileobj=io.BytesIO(made["repository.tar.gz"])) as archive:
        found = {one.name: one for one in archive}
        content = archive.extractfile("src/p/__init__.py")
        assert content is not None
        assert content.read() == b"\xff\r\n"
    assert {name: (one.mode, one.linkname) for name, one in found.items()} == {
        "src/p/__init__.py": (0o644, ""), "run": (0o755, ""), "link": (0o644, "src/p"),
    }  # fmt: skip
    assert made["site/instance-source.pth"] == b"/testbed/src\n/testbed\n"
    assert "install.sh" not in made


def test_what_is_installed_is_installed_apart_from_the_last_stage() -> None:
    made = definition_files(tree(a=b""), "base", "pip install x")

    last = made["Dockerfile"].decode().split("FROM ${BASE}")[-1]
    assert made["install.sh"] == b"pip install x\n"
    assert "build-settings" in made["Dockerfile"].decode()
    assert "build-settings" not in last


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"PKG-INFO": b"Name: a\nVersion: 2.0\n\nVersion: 9", "setup.cfg": b""}, ("a", "2.0")),
        ({"pyproject.toml": PROJECT}, ("my.shop", "1.5")),
        ({"pyproject.toml": b'[project]\nname = "a"\ndynamic = ["version"]'}, ("a", "0")),
        ({"pyproject.toml": b"[tool.x]", "setup.cfg": b"[metadata]\nname = c\nversion = 1"},
         ("c", "1")),
        ({"setup.cfg": b"[metadata]\nname = c\nversion = attr: c.v"}, ("c", "0")),
        ({"pyproject.toml": b"[project"}, None),
        ({"PKG-INFO": b"Name: ../../etc\nVersion: 1\n"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_a_project_is_known_by_the_name_that_it_gives_itself(
    files: dict[str, bytes], named: tuple[str, str] | None
) -> None:
    assert project_name({path: SourceFile(content) for path, content in files.items()}) == named


def test_name_version_and_entry_points_can_be_looked_up() -> None:
    made = definition_files({"pyproject.toml": SourceFile(PROJECT)}, "base", None)

    folder = "site/my_shop-1.5.dist-info"
    assert b"Name: my.shop\nVersion: 1.5\n" in made[f"{folder}/METADATA"]
    assert made[f"{folder}/entry_points.txt"] == (
        b"[console_scripts]\nshop = shop:main\n[pytest11]\nshop = shop.plugin\n"
    )


def test_every_id_has_an_image_name_of_its_own() -> None:
    ids = ["shop-1", "Shop-1", "shop__1", "shop/1", "é", "x" * 200]
    names = [definition_name(one) for one in ids]

    assert names[0] == "shop-1"
    assert len(set(names)) == len(ids)
    assert all(len(name) < 80 and name.replace("-", "").isalnum() for name in names)
