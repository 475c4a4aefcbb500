"""JSON is read as JSON says, or refused with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.errors import ScenarioError
from trajaudit.record.project_files import ForeignPathError, ProjectFiles, parse_json

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-9, 9) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{\n1", "f:2: broken JSON; expecting property name enclosed in double quotes"),
        ("", "f:1: broken JSON; expecting value"),
        ("[NaN]", "f:1: no finite number; got NaN"),
        ("[1e999]", "f:1: no finite number; got 1e999"),
        ('{"a": 1, "b": 2, "a": 3}', "f:1: a: the key is written twice"),
        ("[" * 100 + "]" * 100, "f:1: nested too deep; at most 60 levels are read"),
        ("[" * 200_000, "f:1: broken JSON; nested too deep"),
    ],
)
def test_what_is_no_json_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_json(text, "f")

    assert str(caught.value) == fault


@given(st.text())
def test_any_text_is_json_or_refused(text: str) -> None:
    try:
        parse_json(text, "f")
    except ScenarioError as error:
        fault = str(error)
    else:
        fault = "f:1: "
    assert fault.startswith("f:")


@given(_VALUES)
def test_json_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    import json

    folder = tmp_path_factory.getbasetemp()
    (folder / "v.json").write_text(json.dumps(value))
    files = ProjectFiles(folder, folder, "shown")

    assert files.value("v.json").plain() == value
    assert files.node("v.json").plain() == value


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", "", "a\\b", "a\0", "link/x"])
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "project"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path)

    with pytest.raises(ForeignPathError):
        ProjectFiles(inside, inside, "shown").read(name)


def test_what_was_read_is_remembered_by_hash(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    files = ProjectFiles(tmp_path, tmp_path, "shown")
    files.read("a")

    assert files.sha256 == {"a": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}
