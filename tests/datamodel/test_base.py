"""A record that is made without checks has every field, and is like one that was checked."""

import pickle

import pytest

from trajaudit.datamodel.event import Usage


def _usage(**fields: object) -> Usage:
    return Usage.of_checked(prompt_tokens=1, completion_tokens=2, reasoning_tokens=0, **fields)


def test_it_is_equal_to_one_that_was_checked() -> None:
    one, other = (
        _usage(cached_tokens=3),
        Usage(prompt_tokens=1, completion_tokens=2, cached_tokens=3),
    )
    assert one == other
    assert one.model_dump_json() == other.model_dump_json()
    assert pickle.loads(pickle.dumps(one)) == other


def test_a_copy_that_says_more_changes_nothing_of_others() -> None:
    copy = _usage(cached_tokens=3).model_copy(update={"cached_tokens": 4})
    assert (copy.cached_tokens, _usage(cached_tokens=3).cached_tokens) == (4, 3)


def test_without_a_field_there_is_no_record() -> None:
    with pytest.raises(TypeError, match=r"Usage: got prompt_tokens, .*; expected every field"):
        _usage()
