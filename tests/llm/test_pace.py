"""The cap ramps up and halves; waits grow, with jitter, and obey the provider within bounds."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.errors import ProviderError
from trajaudit.llm.pace import Gate, RetryPolicy, retry_after_s


@given(st.integers(1, 10_000), st.none() | st.floats(0, 1e9), st.integers())
def test_a_wait_stays_within_its_bounds(failures: int, asked: float | None, seed: int) -> None:
    policy = RetryPolicy()
    wait_s = policy.wait_s(failures, asked, random.Random(seed))

    assert 0.25 <= wait_s <= policy.longest_retry_after_s
    if asked is not None and asked <= policy.longest_retry_after_s:
        assert wait_s >= asked


def test_retry_after_is_read_as_seconds_or_as_a_date() -> None:
    date = "Thu, 01 Jan 1970 00:01:40 GMT"

    assert retry_after_s({"retry-after": "1.5"}) == 1.5
    assert retry_after_s({"retry-after-ms": "250"}) == 0.25
    assert retry_after_s({"retry-after": date}, now_s=60) == 40
    assert [retry_after_s({"retry-after": "soon"}), retry_after_s({})] == [None, None]


def test_the_cap_ramps_up_halves_once_per_round_and_then_grows_slowly() -> None:
    gate = Gate(start=2, limit=8)
    for _ in range(20):
        gate.succeeded()
    assert gate.cap == 8

    with gate.slot() as first, gate.slot() as second:
        gate.throttled(first)
        gate.throttled(second)
    assert gate.cap == 4
    for _ in range(4):
        gate.succeeded()
    assert gate.cap == 4
    gate.succeeded()
    assert gate.cap == 5


def test_a_closed_gate_lets_nobody_in() -> None:
    gate = Gate()
    gate.close()

    with pytest.raises(ProviderError), gate.slot():
        pass
