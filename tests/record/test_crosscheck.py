"""What a scenario names is there, and what it says does not contradict itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str], Path]
FaultsOf = Callable[[str], list[str]]

HEAD = """\
trajaudit: 1
world: {a: 1}
tools:
  - {name: pay, parameters: {properties: {to: {}, sum: {type: number}}}, mock: {static: 1}}
  - {name: look, mock: {static: 1}, parameters: {type: object, additionalProperties: true}}
"""

TASK = {
    "accept: {forbid: [pai]}": "accept.forbid[0]: unknown tool; got 'pai'; did you mean 'pay'",
    "accept: {allowed_tools: [x]}": (
        "accept.allowed_tools[0]: unknown tool; got 'x'; known: look, pay"
    ),
    "accept: {paths: [{name: p, calls: [{pay: {too: a}}]}]}": (
        "accept.paths[0].calls[0].pay.too: unknown argument; got 'too'; did you mean 'to'"
    ),
    "accept: {paths: [{name: p, calls: [pay, look], before: [[pay, lok]]}]}": (
        "accept.paths[0].before[0]: names no call of this path; got 'lok'; did you mean 'look'"
    ),
    "accept: {paths: [{name: p, calls: [pay, pay, look], before: [[pay, look]]}]}": (
        "accept.paths[0].before[0]: names 2 calls; got 'pay'; give each an id"
    ),
    "accept: {paths: [{name: p, calls: [{pay: {}, id: x}, {pay: {}, id: x}]}]}": (
        "accept.paths[0].calls: two calls have the id 'x'; give each its own"
    ),
    "accept: {paths: [{name: p, calls: [pay, look], before: [[pay, look], [look, pay]]}]}": (
        "accept.paths[0].before: no order fits; got the circle look → pay → look; remove a pair"
    ),
    "accept: {paths: [{name: p, calls: [{pay: {to: {regex: '('}}}]}]}": (
        "accept.paths[0].calls[0].pay.to: no regular expression; got '('; missing ), "
        "unterminated subpattern at position 0"
    ),
    "accept: {paths: [{name: p, calls: [{pay: {to: {like: a, any: true}}}]}]}": (
        "accept.paths[0].calls[0].pay.to: exactly one of exact, strict, approx, any_of, any, "
        "regex, schema, like, unordered is wanted; got any, like"
    ),
    "accept: {paths: [{name: p, calls: [{pay: {sum: {within: 1}}}]}]}": (
        "accept.paths[0].calls[0].pay.sum: exactly one of exact, strict, approx, any_of, any, "
        "regex, schema, like, unordered is wanted; got none of them"
    ),
    "accept: {paths: [{name: p, calls: [{pay: {to: {schema: {type: txt}}}}]}]}": (
        "accept.paths[0].calls[0].pay.to: no JSON Schema; 'txt' is not valid under any of the "
        "given schemas at type"
    ),
    "accept: {state: [{path: $.a, equals: 1, regex: x}]}": (
        "accept.state[0]: exactly one of equals, approx, any_of, regex, exists, unchanged is "
        "wanted; got equals, regex"
    ),
    "accept: {state: [{equals: 1}]}": (
        "accept.state[0]: a path is wanted, except with unchanged; write the one or the other"
    ),
    "accept: {state: [{path: a, exists: true}]}": (
        "accept.state[0].path: a path begins with $; got 'a'; for example $.orders.A-17.status"
    ),
    "accept: {golden_state: true}": (
        "golden_state needs a golden trajectory; got none; add golden"
    ),
    "accept: {golden_world: {}}": (
        "accept.golden_world: is filled in when a run is frozen; leave it out"
    ),
    "target: {number: abc}": "target.number: wrong type; got 'abc'; a number is wanted",
    "target: {number: NaN}": "target.number: wrong type; got 'NaN'; a finite number is wanted",
    "tools: [pays]": "tools[0]: unknown tool; got 'pays'; did you mean 'pay'",
    "tools: [look], faults: [{tool: pay, fail: error}]": (
        "faults[0].tool: can never fire; got 'pay', which this task does not offer"
    ),
    "faults: [{tool: pya, fail: error}]": (
        "faults[0].tool: unknown tool; got 'pya'; did you mean 'pay'"
    ),
    "faults: [{tool: pay, fail: error, args: {tos: 1}}]": (
        "faults[0].args.tos: unknown argument; got 'tos'; did you mean 'to'"
    ),
    "faults: [{tool: pay, fail: error, call: 1, rate: 0.5}]": (
        "faults[0].rate: call and rate exclude each other; got both; keep one"
    ),
    "faults: [{tool: pay, fail: error, call: 1, times: 2}]": (
        "faults[0].times: call means one call; got times 2; leave one out"
    ),
    "faults: [{tool: pay, fail: error, seconds: 2}]": (
        "faults[0].seconds: only latency and timeout take seconds; got error; leave it out"
    ),
    "golden: [{call: {payy: {}}}]": "golden[0]: unknown tool; got 'payy'; did you mean 'pay'",
    "tools: [look], golden: [{call: {pay: {}}}]": (
        "golden[0]: not offered in this task; got 'pay'; known: look"
    ),
    "golden: [{reply: a, note: b}]": (
        "golden[0]: an action is exactly one of say, call, calls, reply, note, submit, crash, "
        "wait_s; got reply, note"
    ),
    "golden: [{}]": (
        "golden[0]: an action is exactly one of say, call, calls, reply, note, submit, crash, "
        "wait_s; got none"
    ),
    "golden: [{call: {pay: {}, look: {}}}]": (
        "golden[0]: a call names one tool; got pay, look; write {tool: {arguments}}"
    ),
    "user: {replies: [{when: /(/, say: x}]}": (
        "user.replies[0].when: no regular expression; got '('; missing ), unterminated "
        "subpattern at position 0"
    ),
    "files: {a: nope}": (
        "files.a: there is no such file; got 'nope'; name one below the scenario's folder"
    ),
    "files: {../a: s.yaml}": (
        "files.../a: leads out of the work directory; got '../a'; write it relative to it"
    ),
    "target: {choice: C, of: {A: x, B: y}}": "target.choice: unknown choice; got 'C'; known: A, B",
    "target: {choices: [A, A], of: {A: x}}": (
        "target.choices: a choice is written twice; write each once"
    ),
    "target: {number: 1, tolerance: -1}": (
        "target.tolerance: out of range; got -1; a number from 0 is wanted"
    ),
    "target: {regex: '['}": (
        "target.regex: no regular expression; got '['; unterminated character set at position 0"
    ),
    "target: {date: 29.11.2026}": (
        "target.date: no date; got '29.11.2026'; write it like 2026-11-29"
    ),
    "target: {date: 2026-11-29, date_order: dym}": (
        "target.date_order: not allowed; got 'dym'; use dmy, mdy or ymd"
    ),
    "target: {time: 2pm}": "target.time: no time; got '2pm'; write it like 14:30 or 14:30:00",
    "target: {time: '14:30', clock: 13}": "target.clock: not allowed; got 13; use 12 or 24",
    "target: {interval: 0 to 1}": (
        "target.interval: no interval; got '0 to 1'; write it like [0, 1)"
    ),
    "target: {json: {a: 1}, schema: {type: array}}": (
        "target.json: does not fit its own schema; {'a': 1} is not of type 'array'"
    ),
    "target: {json: 1, schema: {$ref: 'http://127.0.0.1:9/x'}}": (
        "target.schema: no JSON Schema on its own; got the reference 'http://127.0.0.1:9/x'; "
        "refer to a place inside, like #/$defs/name"
    ),
    "target: {json: 1, schema: {$ref: '#/$defs/x', $defs: {y: {}}}}": (
        "target.schema: no JSON Schema on its own; got the reference '#/$defs/x'; "
        "refer to a place inside, like #/$defs/name"
    ),
    "target: {json: 1, schema: {$ref: '#/$defs/x', $defs: {x: {type: array}}}}": (
        "target.json: does not fit its own schema; 1 is not of type 'array'"
    ),
    "target: {text: a, answer_format: 'Answer:'}": (
        "target.answer_format: no format; got 'Answer:'; write {answer} once where the value stands"
    ),
    "target: {rubric: a, answer_format: '{answer}'}": (
        "target.answer_format: a rubric has no format; got one; leave it out"
    ),
}


@pytest.mark.parametrize("written", TASK)
def test_a_fault_of_a_task_is_told_with_its_field(faults_of: FaultsOf, written: str) -> None:
    fault = TASK[written]
    field = "tasks[0]: " if fault.startswith("golden_state") else "tasks[0]."

    found = faults_of(f"{HEAD}tasks:\n  - {{id: a, prompt: x, {written}}}\n")
    assert found == [f"s.yaml:7: {field}{fault}"]


TOOL = {
    "name: pay": ("tools[1].name: is given twice; got 'pay', which is at s.yaml:3; choose another"),
    "name: t, mock: {static: 1}, parameters: {type: objekt}": (
        "tools[1].parameters: no JSON Schema; 'objekt' is not valid under any of the given "
        "schemas at type"
    ),
    "name: t, mock: {static: 1}, parameters: {type: string}": (
        "tools[1].parameters.type: arguments are a mapping; got 'string'; write type: object"
    ),
    "name: t": ("tools[1]: a tool has a mock or a sandbox behaviour; got neither; write one"),
    "name: t, mock: {static: 1}, sandbox: bash": (
        "tools[1]: a tool has a mock or a sandbox behaviour; got both; write one"
    ),
    "name: t, mock: {table: [{args: {x: 1}}]}": (
        "tools[1].mock.table[0].args.x: unknown argument; got 'x'; there are none"
    ),
    "name: t, mock: {table: [{reply: 1, error: x}]}": (
        "tools[1].mock.table[0]: a row has a reply or an error; got both; keep one"
    ),
    "name: t, mock: {static: 1, default: 1}": (
        "tools[1].mock.default: only a table has a default; got one without table; leave it out"
    ),
    "name: t, mock: {python: nope.py}": (
        "tools[1].mock.python: there is no such file; got 'nope.py'; name one below the "
        "scenario's folder"
    ),
    "name: t, mock: {python: other.py}": (
        "tools[1].mock.python: other.py has no function 't'; did you mean 'tt'"
    ),
    "name: t, mock: {python: broken.py}": (
        "tools[1].mock.python: no Python; got '(' was never closed at broken.py:2"
    ),
    "name: t, mock: {python: ../../../../../x.py}": (
        "tools[1].mock.python: leads out of the project; got '../../../../../x.py'; keep it inside"
    ),
    "name: t, mock: {cassette: nope.jsonl}": (
        "tools[1].mock.cassette: there is no such file; got 'nope.jsonl'; name one below the "
        "scenario's folder"
    ),
    "name: t, mock: {mcp: {url: x, command: [y]}}": (
        "tools[1].mock.mcp: a server has a url or a command; write exactly one of them"
    ),
    "name: t, mock: {static: 1}, aliases: {arguments: {x: [y]}}": (
        "tools[1].aliases.arguments.x: unknown argument; got 'x'; there are none"
    ),
}


@pytest.mark.parametrize("written", TOOL)
def test_a_fault_of_a_tool_is_told_with_its_field(
    write: Write, faults_of: FaultsOf, written: str, tmp_path: Path
) -> None:
    write("other.py", "import os\nos.mkdir('executed')\ndef tt(world): ...\n")
    write("broken.py", "\ndef t(\n")
    pay = "{name: pay, mock: {static: 1}}"
    text = f"trajaudit: 1\ntools:\n  - {pay}\n  - {{{written}}}\ntasks: [{{id: a, prompt: x}}]"

    assert TOOL[written] in [fault.removeprefix("s.yaml:4: ") for fault in faults_of(text)]
    assert not list(tmp_path.rglob("executed"))


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        (
            "agent: {kind: scripted, tasks: {b: [{reply: x}]}}",
            "agent.tasks.b: unknown task; got 'b'; known: *, a",
        ),
        (
            "agent: {kind: command, command: [x]}\nsandbox: {kind: none}",
            "sandbox.kind: a command needs a sandbox; got 'none'; use docker",
        ),
        (
            "answer_format: 'Answer:'",
            "answer_format: no format; got 'Answer:'; write {answer} once where the value stands",
        ),
        (
            "accept: {state: [{path: $.a, exists: true}]}",
            "accept.state: there is no world; got assertions on its end; add a world",
        ),
        (
            "faults: [{tool: x, fail: error}]",
            "faults[0].tool: unknown tool; got 'x'; there are none",
        ),
    ],
)
def test_a_fault_of_the_scenario_is_told(faults_of: FaultsOf, written: str, fault: str) -> None:
    (found,) = faults_of(f"trajaudit: 1\ntasks: [{{id: a, prompt: x}}]\n{written}\n")

    assert found.split(": ", 1)[1] == fault


def test_what_is_right_has_no_faults(faults_of: FaultsOf) -> None:
    task = (
        "tasks:\n  - {id: a, prompt: x, target: {choice: A, of: {A: x}}, "
        "accept: {paths: [{name: p, calls: "
        "[{pay: {to: {any: true}, sum: {approx: 1, within: 0.1}}, id: one, repeat: true}, "
        "{pay: {to: x}}, look: {free: 1}], before: [[one, look], [pay, look]]}], "
        "state: [{path: $.a, equals: null}, {unchanged: [$.b]}]}, "
        "golden: [{say: s, call: {pay: {}}}, {calls: [{pay: {}}, {look: {}}]}, {reply: r}]}\n"
    )

    assert faults_of(HEAD + task) == []


def test_names_are_not_checked_against_tools_that_could_not_be_read(faults_of: FaultsOf) -> None:
    task = "tasks: [{id: a, prompt: x, tools: [unread]}]"

    (fault,) = faults_of(f"trajaudit: 1\ntools: [{{file: nope.yaml}}]\n{task}")
    assert fault.startswith("s.yaml:2: tools[0]: there is no such file")
