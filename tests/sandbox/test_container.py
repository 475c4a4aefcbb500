"""Each trial's container has a name of its own that every engine takes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from trajaudit.sandbox.container import container_name

PARTS = st.tuples(st.text(max_size=80), st.text(max_size=80))


@given(PARTS, PARTS)
def test_a_name_is_permitted_and_different_trials_have_different_ones(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    name = container_name(*one)
    assert re.fullmatch(r"[a-z0-9][a-z0-9_.-]{0,55}", name)
    assert (name == container_name(*other)) is (one == other)


def test_what_looks_alike_stays_apart() -> None:
    alike = [("r1", "a/b/1"), ("r1", "a_b/1"), ("r1", "s/11"), ("r1", "s1/1"), ("r1", "用例/1")]
    assert len({container_name(*one) for one in [*alike, ("r1", "用法/1"), ("r1s", "/11")]}) == 7


def test_a_name_can_be_read() -> None:
    assert container_name("20261129-101500-7f3a", "refund/2").startswith(
        "trajaudit-20261129-101500-7f3a-refund-2-"
    )
