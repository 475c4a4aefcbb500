"""Do the accepted paths, end states and faults name what is there?"""

from collections import Counter
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from trajaudit.datamodel.accept import (
    MATCHER_KEYS,
    Accept,
    AcceptedPath,
    ExpectedCall,
    Matcher,
    StateAssertion,
)
from trajaudit.datamodel.tool import FaultSpec
from trajaudit.datamodel.worldpath import parse_path
from trajaudit.record.check import Check, Found, argument_faults, exactly_one, regex_fault, under
from trajaudit.record.check_schema import schema_fault
from trajaudit.record.fault import nearest

_STATE_KINDS = ("equals", "approx", "any_of", "regex", "exists", "unchanged")


def accept_faults(check: Check, accept: Accept, *, has_world: bool) -> Iterator[Found]:
    """Yield what is wrong with an `accept`, places relative to it."""
    for number, path in enumerate(accept.paths):
        yield from under(("paths", number), _path_faults(check, path))
    for number, call in enumerate(accept.forbid):
        yield from under(("forbid", number), _call_faults(check, call))
    for number, name in enumerate(accept.allowed_tools or ()):
        fault = check.tool_fault(name)
        if fault:
            yield ("allowed_tools", number), fault
    yield from _end_faults(accept, has_world=has_world)


def _end_faults(accept: Accept, *, has_world: bool) -> Iterator[Found]:
    for number, assertion in enumerate(accept.state):
        yield from under(("state", number), _state_faults(assertion))
    for number, place in enumerate(accept.ignore_state):
        yield from _place_faults(("ignore_state", number), place)
    for number, text in enumerate(accept.communicate):
        if not text.strip():
            yield ("communicate", number), f"a text is wanted; got {text!r}; leave it out"
    if accept.golden_world is not None:
        yield ("golden_world",), "is filled in when a run is frozen; leave it out"
    if accept.state and not has_world:
        yield ("state",), "there is no world; got assertions on its end; add a world"


def _path_faults(check: Check, path: AcceptedPath) -> Iterator[Found]:
    for number, call in enumerate(path.calls):
        yield from under(("calls", number), _call_faults(check, call))
    names = Counter(call.id or call.tool for call in path.calls)
    for name, count in names.items():
        if count > 1 and any(call.id == name for call in path.calls):
            yield ("calls",), f"two calls have the id {name!r}; give each its own"
    for number, pair in enumerate(path.before):
        yield from under(("before", number), _pair_faults(pair, names))
    yield from _order_faults(path)


def _pair_faults(pair: tuple[str, str], names: Counter[str]) -> Iterator[Found]:
    for name in pair:
        if name not in names:
            yield (), f"names no call of this path; got {name!r}; {nearest(name, names)}"
        elif names[name] > 1:
            yield (), f"names {names[name]} calls; got {name!r}; give each an id"


def _order_faults(path: AcceptedPath) -> Iterator[Found]:
    order: TopologicalSorter[str] = TopologicalSorter()
    for first, then in path.before:
        order.add(then, first)
    try:
        order.prepare()
    except CycleError as error:
        yield (
            ("before",),
            f"no order fits; got the circle {' → '.join(error.args[1])}; remove a pair",
        )


def _call_faults(check: Check, call: ExpectedCall) -> Iterator[Found]:
    fault = check.tool_fault(call.tool)
    if fault:
        yield (), fault
        return
    for name, text in argument_faults(check.tools.get(call.tool), call.arguments):
        yield ("arguments", name), text
    for name, matcher in call.arguments.items():
        for text in _matcher_faults(matcher):
            yield ("arguments", name), text


def _matcher_faults(matcher: Matcher) -> Iterator[str]:
    several = exactly_one(matcher, ("exact", *MATCHER_KEYS))
    if several:
        yield several
    elif matcher.within is not None and matcher.approx is None:
        yield "within needs approx; got within alone; add approx"
    if matcher.regex is not None:
        yield from filter(None, [regex_fault(matcher.regex)])
    if matcher.schema_ is not None:
        yield from filter(None, [schema_fault(matcher.schema_)])


def _state_faults(assertion: StateAssertion) -> Iterator[Found]:
    several = exactly_one(assertion, _STATE_KINDS)
    if several:
        yield (), several
    elif (assertion.path is None) == (assertion.unchanged is None):
        yield (), "a path is wanted, except with unchanged; write the one or the other"
    elif assertion.within is not None and assertion.approx is None:
        yield ("within",), "within needs approx; got within alone; add approx"
    if assertion.regex is not None:
        for text in filter(None, [regex_fault(assertion.regex)]):
            yield ("regex",), text
    yield from _place_faults(("path",), assertion.path)
    for number, path in enumerate(assertion.unchanged or ()):
        yield from _place_faults(("unchanged", number), path)


def _place_faults(loc: tuple[str | int, ...], path: str | None) -> Iterator[Found]:
    if path is None:
        return
    try:
        parse_path(path)
    except ValueError as error:
        yield loc, str(error)


def fault_faults(
    check: Check, faults: Sequence[FaultSpec], offered: Sequence[str] | None
) -> Iterator[Found]:
    """Yield what is wrong with declared faults, places relative to their list."""
    for number, fault in enumerate(faults):
        yield from under((number,), _fault_faults(check, fault, offered))


def _fault_faults(check: Check, fault: FaultSpec, offered: Sequence[str] | None) -> Iterator[Found]:
    unknown = check.tool_fault(fault.tool)
    if unknown:
        yield ("tool",), unknown
        return
    if offered is not None and fault.tool not in offered:
        yield ("tool",), f"can never fire; got {fault.tool!r}, which this task does not offer"
    for name, text in argument_faults(check.tools.get(fault.tool), fault.args or {}):
        yield ("args", name), text
    if fault.call is not None and fault.rate is not None:
        yield ("rate",), "call and rate exclude each other; got both; keep one"
    if fault.call is not None and (fault.times or 1) > 1:
        yield ("times",), f"call means one call; got times {fault.times}; leave one out"
    if fault.seconds is not None and fault.fail not in {"latency", "timeout"}:
        yield ("seconds",), f"only latency and timeout take seconds; got {fault.fail}; leave it out"
