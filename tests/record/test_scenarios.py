"""A scenario loads whole, or every fault of it is told at once."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trajaudit.datamodel.scenario import AgentAction, LangGraphAgent, Scenario
from trajaudit.datamodel.target import MoneyTarget
from trajaudit.errors import ScenarioError
from trajaudit.record.scenarios import load_scenario

Write = Callable[[str, str], Path]
FaultsOf = Callable[[str], list[str]]

ROOT = Path(__file__).resolve().parents[2]
SHOP = """\
trajaudit: 1
answer_format: "Answer: {answer}"
agent: {kind: langgraph, system: {file: files/policy.md}}
world: {file: mocks/shop.json}
tools:
  - {file: mocks/tools.yaml}
  - {sandbox: [bash, read, write]}
accept:
  state: [{path: $.orders.A-17, equals: refunded}]
tasks:
  - id: late
    prompt: Give me my money back.
    target: {money: 42.50, currency: EUR}
    golden: golden/late.jsonl
    files: {policy.md: files/policy.md}
  - id: own
    prompt: {file: files/policy.md}
    accept:
      paths:
        - {name: p, calls: [refund: {order: A-17, amount: {approx: 42.5}}]}
"""
TOOLS = """\
- name: refund
  parameters:
    type: object
    required: [order]
    properties: {order: {type: string}, amount: {type: number, minimum: 0}}
  mock: {python: shop.py}
"""


@pytest.fixture
def shop(write: Write) -> Path:
    write("files/policy.md", "Be kind.\n")
    write("mocks/shop.json", '{"orders": {"A-17": "lost"}}')
    write("mocks/tools.yaml", TOOLS)
    write("mocks/shop.py", "def refund(world, order, amount=None):\n    return {}\n")
    write("golden/late.jsonl", '{"call": {"refund": {"order": "A-17"}}}\n\n{"reply": "42.50"}\n')
    return write("shop.yaml", SHOP)


def test_includes_stand_in_their_places(shop: Path) -> None:
    loaded = load_scenario(shop)
    scenario = loaded.scenario
    late = scenario.tasks[0]

    assert scenario.name == "shop/shop"
    assert scenario.agent == LangGraphAgent(system="Be kind.\n")
    assert scenario.world == {"orders": {"A-17": "lost"}}
    assert [tool.name for tool in scenario.tools] == ["refund", "bash", "read_file", "write_file"]
    assert scenario.tools[0].mock is not None
    assert scenario.tools[0].mock.python == "mocks/shop.py"
    assert late.golden == (
        AgentAction(call={"refund": {"order": "A-17"}}),
        AgentAction(reply="42.50"),
    )
    assert scenario.tasks[1].prompt == "Be kind.\n"
    assert sorted(loaded.files_sha256) == [
        "files/policy.md",
        "golden/late.jsonl",
        "mocks/shop.json",
        "mocks/shop.py",
        "mocks/tools.yaml",
    ]


def test_defaults_go_to_the_tasks_that_declare_none(shop: Path) -> None:
    scenario = load_scenario(shop).scenario

    assert scenario.tasks[0].accept == scenario.accept
    assert scenario.tasks[1].accept != scenario.accept
    assert scenario.tasks[0].target == MoneyTarget(
        money=Decimal("42.50"), currency="EUR", answer_format="Answer: {answer}"
    )


def test_a_number_keeps_its_written_digits(shop: Path) -> None:
    target = load_scenario(shop).scenario.tasks[0].target

    assert isinstance(target, MoneyTarget)
    assert str(target.money) == "42.50"


def test_a_loaded_scenario_survives_a_round_trip(shop: Path) -> None:
    scenario = load_scenario(shop).scenario

    assert Scenario.model_validate_json(scenario.model_dump_json()) == scenario


def test_files_are_read_inside_the_project_only(shop: Path, tmp_path: Path) -> None:
    loaded = load_scenario(shop)
    (tmp_path.parent / "secret").write_text("s")
    (shop.parent / "link").symlink_to(tmp_path.parent / "secret")

    assert loaded.project == tmp_path
    assert loaded.open_file("mocks/../files/policy.md") == b"Be kind.\n"
    for name in ("/etc/passwd", "../../../secret", "link", "", "a\0b"):
        with pytest.raises(ScenarioError):
            loaded.open_file(name)


def test_every_fault_is_told_at_once_in_the_order_of_the_file(faults_of: FaultsOf) -> None:
    faults = faults_of(
        "trajaudit: 1\n"
        "nmae: x\n"
        "agent: {kind: langraph}\n"
        "trials: true\n"
        "limits: {steps: 0, tim_s: 3}\n"
        "world: {file: nope.json}\n"
        "tools: [{file: ../../../x.yaml}, {sandbox: [bsh]}]\n"
        "tasks:\n"
        "  - {id: a, promt: x, target: {nubmer: 3}}\n"
        "  - {id: a b, prompt: 3, target: {number: 1, unti: m}}\n"
        "  - {id: c, prompt: x, target: {choice: Z, of: {A: x}}}\n"
    )

    assert [fault.split(": ")[:2] for fault in faults] == [
        ["s.yaml:2", "nmae"],
        ["s.yaml:3", "agent"],
        ["s.yaml:4", "trials"],
        ["s.yaml:5", "limits.steps"],
        ["s.yaml:5", "limits.tim_s"],
        ["s.yaml:6", "world"],
        ["s.yaml:7", "tools[0]"],
        ["s.yaml:7", "tools[1].sandbox[0]"],
        ["s.yaml:9", "tasks[0]"],
        ["s.yaml:9", "tasks[0].target"],
        ["s.yaml:9", "tasks[0].promt"],
        ["s.yaml:10", "tasks[1].id"],
        ["s.yaml:10", "tasks[1].prompt"],
        ["s.yaml:10", "tasks[1].target.unti"],
        ["s.yaml:11", "tasks[2].target.choice"],
    ]
    assert faults[0].endswith("unknown field; got 'nmae'; did you mean 'name'")
    assert faults[4].endswith("unknown field; got 'tim_s'; did you mean 'time_s'")
    assert faults[9].endswith("; did you mean 'number'")
    assert faults[13].endswith("unknown field; got 'unti'; did you mean 'unit'")


def test_a_fault_of_an_included_file_has_its_own_line(write: Write, faults_of: FaultsOf) -> None:
    write("tools.yaml", "- name: t\n  mock: {static: 1}\n  efect: read\n")
    write("golden.jsonl", '{"reply": "x"}\n{"repy": "y"}\n{broken\n')
    tasks = "tasks: [{id: a, prompt: x, golden: golden.jsonl}]"

    assert faults_of(f"trajaudit: 1\ntools: [{{file: tools.yaml}}]\n{tasks}") == [
        "golden.jsonl:3: broken JSON; expecting property name enclosed in double quotes",
        "tools.yaml:3: tools[0].efect: unknown field; got 'efect'; did you mean 'effect'",
    ]
    write("golden.jsonl", '{"reply": "x"}\n{"repy": "y"}\n')
    assert faults_of(f"trajaudit: 1\n{tasks}") == [
        "golden.jsonl:2: tasks[0].golden[1].repy: unknown field; got 'repy'; did you mean 'reply'"
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- a", "s.yaml:1: no scenario; a mapping with tasks is wanted"),
        (
            "trajaudit: 2\ntasks: [{id: a, prompt: x}]",
            "s.yaml:1: trajaudit: not allowed; got 2; use 1",
        ),
        (
            "trajaudit: 1\ntasks: []",
            "s.yaml:2: tasks: is empty; got nothing; at least one is wanted",
        ),
        ("trajaudit: 1", "s.yaml:1: tasks is missing; got a mapping with trajaudit; add tasks"),
        (
            "trajaudit: 1\ntasks: {a: 1}",
            "s.yaml:2: tasks: wrong type; got a mapping with a; a list is wanted",
        ),
        (
            "trajaudit: 1\ntasks:\n  - {id: a, prompt: x}\n  - {id: a, prompt: y}",
            "s.yaml:4: tasks[1].id: is given twice; got 'a', which is at s.yaml:3; choose another",
        ),
        (
            "trajaudit: 1\nlimits: {steps: '30'}\ntasks: [{id: a, prompt: x}]",
            "s.yaml:2: limits.steps: wrong type; got '30'; a whole number is wanted",
        ),
    ],
)
def test_a_single_fault_is_a_single_line(faults_of: FaultsOf, text: str, fault: str) -> None:
    assert [line.replace(str(Path.cwd()), "") for line in faults_of(text)] == [fault]


@given(
    st.binary(max_size=400)
    | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace"))
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_any_bytes_load_or_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any.yaml"
    path.write_bytes(content)

    with pytest.raises(ScenarioError):
        load_scenario(path)


_KEYS = (
    "id prompt target accept paths calls before state file tools mock table args name golden reply "
    "kind number of choice"
)
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(-9, 9) | st.text(max_size=9)
_JSON = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(_KEYS.split()), inner, max_size=4)
    ),
    max_leaves=20,
)
_FIELDS = ["agent", "tools", "world", "faults", "user", "tolerances", "accept", "sandbox", "panel"]


@given(
    st.fixed_dictionaries(
        {"trajaudit": st.just(1), "tasks": st.lists(_JSON, max_size=2) | _JSON},
        optional=dict.fromkeys(_FIELDS, _JSON),
    )
)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None
)
def test_any_structure_loads_or_is_refused(tmp_path: Path, value: object) -> None:
    path = tmp_path / "any.yaml"
    path.write_text(json.dumps(value))
    faults: tuple[str, ...] = ()

    try:
        load_scenario(path)
    except ScenarioError as error:
        faults = error.faults
    assert [fault for fault in faults if not fault.startswith(str(tmp_path))] == []


def test_a_scenario_of_the_size_of_the_shop_loads_in_time(shop: Path) -> None:
    task = SHOP[SHOP.index("  - id: late") :]
    tasks = [
        task.replace("late\n", f"late-{n}\n").replace("own\n", f"own-{n}\n") for n in range(12)
    ]
    shop.write_text(SHOP[: SHOP.index("  - id: late")] + "".join(tasks))
    seconds = []
    for _ in range(5):
        start = time.process_time()
        load_scenario(shop)
        seconds.append(time.process_time() - start)

    assert min(seconds) < 0.06


def test_importing_the_loader_imports_nothing_heavy() -> None:
    code = (
        "import sys, trajaudit.record, trajaudit.record.scenarios, trajaudit.record.rundir, "
        "trajaudit.record.project; "
        "print([name for name in ('sqlmodel', 'sqlalchemy', 'jsonschema') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert run.stdout.strip() == "[]"
