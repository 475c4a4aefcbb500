"""The tools of a task: found by name, and remembered with what was asked of them."""

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.tool_registry import registry_of

TOOLS = (ToolSpec(name="look", effect="read"), ToolSpec(name="pay"))
NONE = frozenset[str]()


def test_the_same_tools_have_one_registry_and_others_another() -> None:
    assert registry_of(TOOLS) is registry_of(list(TOOLS))
    assert registry_of(TOOLS) is not registry_of(TOOLS[:1])


def test_what_nobody_declared_may_write() -> None:
    registry = registry_of(TOOLS)

    assert [registry.effect(name) for name in ("look", "pay", "other", None)] == [
        "read",
        "write",
        "write",
        "write",
    ]
    assert registry.spec("other") is None


def test_a_tolerance_that_is_off_leaves_a_name_unknown_though_it_was_known_before() -> None:
    registry = registry_of(TOOLS)

    assert registry.resolve("Look", NONE).name == "look"
    refused = registry.resolve("Look", frozenset({"tool_name_style"}))
    assert (refused.name, refused.nearest) == (None, "look")


def test_the_same_text_is_read_once_for_each_tool() -> None:
    registry = registry_of(TOOLS)
    once = registry.arguments("pay", '{"amount": "1"}', None, NONE)

    assert registry.arguments("pay", '{"amount": "1"}', None, NONE) is once
    assert registry.arguments("look", '{"amount": "1"}', None, NONE) is not once


def test_where_there_is_no_text_the_parsed_arguments_count_each_time() -> None:
    registry = registry_of(TOOLS)

    found = [registry.arguments("pay", "", {"amount": n}, NONE).strict for n in (1, 2)]

    assert found == [{"amount": 1}, {"amount": 2}]


def test_a_long_text_is_not_kept() -> None:
    registry = registry_of(TOOLS)
    text = '{"note": "' + "x" * 2000 + '"}'

    first, second = (registry.arguments("pay", text, None, NONE) for _ in range(2))

    assert first is not second
    assert first.identity == second.identity
