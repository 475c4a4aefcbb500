"""Instances and predictions are read in every form that SWE-bench writes."""

import json
from pathlib import Path
from typing import Any

import pytest

from trajaudit.record.patch_files import PatchFileError, load_instances, load_predictions

CLASSIC: dict[str, Any] = {
    "repo": "o/r",
    "instance_id": "o__r-1",
    "base_commit": "abc",
    "patch": "p",
    "test_patch": "t",
    "problem_statement": "x",
    "hints_text": None,
    "FAIL_TO_PASS": '["t.py::a[x  y]"]',
    "PASS_TO_PASS": "[]",
    "version": "1",
}
V5 = {
    **CLASSIC,
    "instance_id": "o__r-2",
    "image": "i:1",
    "eval_script": "pytest",
    "log_parser": "parse_log_pytest_v2",
    "eval_type": "pass_and_fail",
    "FAIL_TO_PASS": ["t.py::a"],
}
PREDICTION = {"instance_id": "o__r-1", "model_name_or_path": "m", "model_patch": "p\r\n"}


def written(folder: Path, text: str) -> Path:
    path = folder / "file"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("form", ["lines", "list", "one"])
def test_classic_and_new_instances_are_read(tmp_path: Path, form: str) -> None:
    both = [CLASSIC, V5]
    text = {
        "lines": "\n".join(json.dumps(one) for one in both) + "\n\n",
        "list": json.dumps(both, indent=1),
        "one": json.dumps(CLASSIC),
    }[form]

    found = load_instances(written(tmp_path, text))

    assert found[0].fail_to_pass == ("t.py::a[x  y]",)
    assert found[0].image is None
    if form != "one":
        assert (found[1].image, found[1].fail_to_pass) == ("i:1", ("t.py::a",))


@pytest.mark.parametrize("form", ["lines", "list", "dict"])
def test_predictions_are_read_and_their_bytes_kept(tmp_path: Path, form: str) -> None:
    bare = {name: one for name, one in PREDICTION.items() if name != "instance_id"}
    text = {
        "lines": json.dumps(PREDICTION),
        "list": json.dumps([PREDICTION]),
        "dict": json.dumps({"o__r-1": bare}),
    }[form]

    (found,) = load_predictions(written(tmp_path, text))

    assert found.model_dump() == PREDICTION


def test_a_patch_that_is_null_is_empty(tmp_path: Path) -> None:
    text = json.dumps({"instance_id": "a", "model_patch": None})

    assert load_predictions(written(tmp_path, text))[0].model_patch == ""


def test_every_fault_is_named_with_its_line(tmp_path: Path) -> None:
    lines = [
        "{",
        json.dumps({**CLASSIC, "FAIL_TO_PASS": "a, b"}),
        json.dumps({"instance_id": "x"}),
        "3",
        json.dumps(CLASSIC),
        json.dumps(CLASSIC),
    ]

    with pytest.raises(PatchFileError) as caught:
        load_instances(written(tmp_path, "\n".join(lines)))

    places = [
        fault.removeprefix(f"{tmp_path}/file:").partition(":")[0] for fault in caught.value.faults
    ]
    assert sorted(places) == ["1", "2", "3", "4", "6"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no entry"),
        ("[]", "holds no entry"),
        ('{"a": 1}', "entry 'a': entry is no object"),
        ('{"instance_id": "a"}', "model_patch"),
        ('{"instance_id": 1, "model_patch": "x"}', "valid string"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(PatchFileError, match=told):
        load_predictions(written(tmp_path, text))


def test_two_models_may_answer_the_same_instance(tmp_path: Path) -> None:
    both = [PREDICTION, {**PREDICTION, "model_name_or_path": "n"}]

    assert len(load_predictions(written(tmp_path, json.dumps(both)))) == 2
