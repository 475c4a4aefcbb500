"""Broken logs of coding agents end in a clear error or a clean import."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers.fuzzing import (
    as_bytes,
    as_lines,
    assert_survives,
    fuzzed,
    mangled,
    mutated,
)
from tests.record.importers.test_coding_agents import ALL
from trajaudit.record.importers import IMPORTERS

forms = pytest.mark.parametrize(("name", "file", "log"), ALL.values(), ids=ALL)


def _bytes(file: str, value: Any) -> bytes:
    return as_lines(value) if file.endswith(".jsonl") else as_bytes(value)


@forms
@fuzzed
@given(data=st.data())
def test_a_log_with_odd_values_survives(
    name: str, file: str, log: Any, data: st.DataObject
) -> None:
    broken = data.draw(mutated(log()))

    assert_survives(IMPORTERS[name], {file: _bytes(file, broken)})


@forms
@fuzzed
@given(data=st.data())
def test_a_log_of_broken_bytes_survives(
    name: str, file: str, log: Any, data: st.DataObject
) -> None:
    broken = data.draw(mangled(_bytes(file, log())))

    assert_survives(IMPORTERS[name], {file: broken})
