"""A path is added to a file by adding lines; where that cannot be done, it is not done."""

import difflib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.datamodel.accept import AcceptedPath
from trajaudit.record.yaml_insert import NoCleanPlaceError, insert_path, path_text
from trajaudit.record.yaml_source import parse_yaml

ENTRY = "- name: new\n  calls:\n    - look\n"
FILE = """\
# A comment at the top.
trajaudit: 1
tasks:
  - id: a            # first
    prompt: |
      Look.

    accept:
      paths:
        - name: one
          calls: [look]   # the comment stays
        # about what comes next
      forbid: [stop]
  - {id: b, prompt: Look., accept: {paths: [{name: one, calls: [look]}]}}

# The end.
"""


def taken_out(text: str, new: str) -> list[str]:
    """Lines that are no longer there; a last line that only got its end is."""
    found = difflib.ndiff(text.splitlines(), new.splitlines())
    return [line for line in found if line.startswith("- ")]


def names(text: str, task: int = 0) -> list[str]:
    return [path["name"] for path in yaml.safe_load(text)["tasks"][task]["accept"]["paths"]]


def test_the_entry_follows_the_last_path_and_every_other_byte_stays() -> None:
    new = insert_path(FILE, "a", ENTRY)

    assert names(new) == ["one", "new"]
    before, after = new.split("        - name: new\n          calls:\n            - look\n")
    assert before + after == FILE
    assert before.endswith("# the comment stays\n")
    assert after.startswith("        # about what comes next\n")


@pytest.mark.parametrize(
    "paths",
    [
        "      paths:\n        - {name: one, calls: [look]}\n",
        "      paths:\n      - name: one\n        calls:\n        - look\n",
        "      paths:\n        - name: one\n          calls:\n            - look: {at: |\n",
        "      paths:\n        - calls: [look]\n          name: >-\n            one\n\n\n",
        "      paths:\n        - calls: [look]\n          name: 'one'\n          before:\n",
        '      paths:\n        - calls: [look,\n            look]\n          name: "one"',
    ],
)
def test_every_form_of_a_list_of_lines_takes_the_entry(paths: str) -> None:
    if paths.endswith("|\n"):
        paths = paths.replace("{at: |\n", '{at: "x\n                y"}\n')
    text = f"tasks:\n  - id: a\n    accept:\n{paths}"

    new = insert_path(text, "a", ENTRY)

    assert names(new) == ["one", "new"]
    assert taken_out(text, new) == []


def test_the_line_ends_of_the_file_are_kept() -> None:
    new = insert_path(FILE.replace("\n", "\r\n"), "a", ENTRY)

    assert "\n" not in new.replace("\r\n", "")
    assert names(new) == ["one", "new"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (FILE.replace("id: a", "id: c"), "'a' is not written out"),
        ("tasks:\n  - {id: a, accept: {paths: [{name: one, calls: [x]}]}}\n", "in brackets"),
        ("tasks:\n  - id: a\n    accept:\n      paths: []\n", "in brackets"),
        ("tasks:\n  - id: a\n    prompt: x\n", "has no accept of its own"),
        ("tasks:\n  - id: a\n    accept:\n      forbid: [x]\n", "has no paths of its own"),
        (
            (
                "tasks:\n  - id: a\n    accept: &x\n      paths:\n        - {name: one}\n"
                "  - id: b\n    accept: *x\n"
            ),
            "behind an anchor",
        ),
        (
            (
                "tasks:\n  - &t\n    id: a\n    accept:\n      paths:\n        - {name: one}\n"
                "  - <<: *t\n    id: b\n"
            ),
            "behind an anchor",
        ),
    ],
)
def test_a_form_without_a_clean_place_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NoCleanPlaceError, match=reason):
        insert_path(text, "a", ENTRY)


def test_an_anchor_elsewhere_does_no_harm() -> None:
    text = FILE.replace("prompt: |", "tags: &t [x]\n    metadata: {t: *t}\n    prompt: |")

    assert names(insert_path(text, "a", ENTRY)) == ["one", "new"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(
        ["1e5", "no", "null", "~", "12:30", "2026-12-01", "010", "- x", "#x", "a: b"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab:-# ", max_size=4), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abcdefgh_", min_size=1, max_size=8), JSON, max_size=3), st.text())
def test_whatever_is_written_reads_back_as_it_was(
    arguments: dict[str, JsonValue], told: str
) -> None:
    told = told.encode("utf-8", "replace").decode()
    exact: JsonValue = {name: {"exact": value} for name, value in arguments.items()}
    path: dict[str, JsonValue] = {
        "name": told,
        "calls": [{"no": exact}, {"tool": "id", "arguments": exact, "optional": True}],
        "before": [["no", "id"]],
    }

    read = parse_yaml(path_text(path), "made").plain()

    assert AcceptedPath.model_validate(read[0]) == AcceptedPath.model_validate(path)
