"""A record that is made without checks has every field, and is like one that was checked."""

import pickle

import pytest

from trajaudit.datamodel._base import checked, typed, varied
from trajaudit.datamodel.event import MessageEvent, ModelCall, Usage


def _usage(**fields: object) -> Usage:
    return checked(Usage)(prompt_tokens=1, completion_tokens=2, reasoning_tokens=0, **fields)


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
    with pytest.raises(TypeError, match=r"Usage\(\) missing .* argument: 'cached_tokens'"):
        _usage()


def test_what_is_not_given_is_as_it_is_by_default_and_in_its_place() -> None:
    one = typed(MessageEvent)(content="hi", role="user", source="task", rewrites=3)
    other = MessageEvent(content="hi", role="user", source="task", rewrites=3)
    assert one == other
    assert one.model_dump_json() == other.model_dump_json()
    assert pickle.loads(pickle.dumps(one)) == other


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": "hi", "role": "user"}, "missing .* 'source'"),
        ({"content": "hi", "source": "task", "roll": "user"}, "unexpected .* 'roll'"),
    ],
)
def test_a_field_that_is_needed_or_unknown_is_named(fields: dict[str, object], said: str) -> None:
    with pytest.raises(TypeError, match=rf"MessageEvent\(\) .*{said}"):
        typed(MessageEvent)(**fields)


def test_what_could_be_shared_by_two_records_is_needed() -> None:
    with pytest.raises(TypeError, match=r"ModelCall\(\) missing .*: 'params'"):
        typed(ModelCall)(model_id="m")


def test_a_copy_is_made_with_other_values_and_leaves_the_first_as_it_is() -> None:
    one = MessageEvent(content="hi", role="user", source="task", rewrites=3)
    copy = varied(MessageEvent)(one, content="ho", rewrites=None)
    other = MessageEvent(content="ho", role="user", source="task")
    assert (one.content, one.rewrites) == ("hi", 3)
    assert copy == other
    assert copy.model_dump_json() == other.model_dump_json()
    assert pickle.loads(pickle.dumps(copy)) == other


def test_no_copy_has_a_field_that_is_unknown() -> None:
    one = MessageEvent(content="hi", role="user", source="task")
    with pytest.raises(TypeError, match="MessageEvent: got roll; expected fields of it"):
        varied(MessageEvent)(one, roll="user")
