from tests.report import sample, trajectories
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.tool import FaultSpec
from trajaudit.datamodel.verdict import Evidence, Fault
from trajaudit.report.block import Block
from trajaudit.report.timeline import trial_view
from trajaudit.report.views import Change, TrialView, Where

TASK = next(task for task in sample.config().scenario.tasks if task.id == "t01")


def _view(*evidence: Evidence, steps: tuple[int, ...] = ()) -> TrialView:
    found = sample.finding("t01", 1, FailureKind.LOOP, Fault.AGENT, "why").model_copy(
        update={"evidence": evidence, "steps": steps}
    )
    trajectory = trajectories.refund("t01", 1)
    return trial_view("x1", trajectory, sample.config(), [found], [], TASK)


def _text(made: Block | None) -> str:
    return "".join(text for text, _ in made.parts) if made else ""


def test_evidence_jumps_to_its_event_else_to_its_step_else_nowhere() -> None:
    view = _view(
        Evidence(step=4, seq=17, quote="42.50"),
        Evidence(step=4, seq=999),
        Evidence(step=99),
        Evidence(seq=18),
        Evidence(quote="voucher"),
    )

    assert view.findings[0].where == (
        Where("step 4", "42.50", "x1-e17"),
        Where("step 4", "", "x1-s4"),
        Where("step 99", "", None),
        Where("event 18", "", "x1-e18"),
        Where("reply", "voucher", "x1-reply"),
    )


def test_steps_that_no_evidence_names_are_linked_too() -> None:
    view = _view(Evidence(step=2), steps=(2, 6))

    assert [where.anchor for where in view.findings[0].where] == ["x1-s2", "x1-s6"]
    assert [bool(step.findings) for step in view.steps] == [
        number in {2, 6} for number in range(1, 8)
    ]


def test_the_quote_of_evidence_is_marked_where_it_stands() -> None:
    view = _view(Evidence(step=4, seq=17, quote="42.50"))

    (call,) = view.steps[3].calls
    assert ("42.50", True) in call.arguments[1].value.parts
    assert ("42.50", True) in call.written.parts


def test_the_type_of_an_argument_tells_a_string_from_a_number() -> None:
    view = _view()

    types = {
        argument.name: argument.type
        for step in view.steps
        for call in step.calls
        for argument in call.arguments
    }
    assert types == {"order_id": "string", "sku": "string", "amount": "string", "id": "number"}


def test_world_changes_stand_at_their_step_and_none_is_lost() -> None:
    view = _view()
    stray = trial_view("x1", trajectories.hostile("t01", 1), sample.config(), [], [])

    assert view.steps[3].changes == (
        Change("replace", "/orders/A-17/status", '"refunded"'),
        Change("add", "/orders/A-17/refund", "42.5"),
    )
    assert view.steps[5].changes == (Change("remove", "/orders/A-17/refund", ""),)
    assert len(stray.changes) == 1


def test_an_observation_that_answers_no_call_is_still_shown() -> None:
    view = trial_view("x1", trajectories.hostile("t01", 1), sample.config(), [], [])

    assert [len(call.observations) for call in view.steps[0].calls] == [1, 1]
    assert _text(view.steps[0].stray[0].content).startswith("nobody asked")


def test_the_target_stands_beside_the_reply() -> None:
    view = _view()

    assert _text(view.target) == "money: 42.5\ncurrency: EUR"
    assert _text(view.reply) == "You get a voucher."
    assert _text(view.prompt).startswith("Order A-17")


def test_a_task_that_the_scenario_does_not_know_has_no_target() -> None:
    view = trial_view("x1", trajectories.refund("else", 1), sample.config(), [], [])

    assert (view.prompt, view.target, view.accept) == (None, None, None)


def test_faults_that_fired_are_named() -> None:
    config = sample.config()
    scenario = config.scenario.model_copy(
        update={"faults": (FaultSpec(tool="get_stock", fail="timeout", call=1),)}
    )
    trajectory = trajectories.refund("t01", 1).model_copy(update={"faults_hit": (0, 7)})

    view = trial_view("x1", trajectory, config.model_copy(update={"scenario": scenario}), [], [])
    assert view.faults == ("timeout in get_stock", "fault 7")


def test_evidence_of_a_patch_jumps_to_what_was_left() -> None:
    found = sample.finding("t01", 1, FailureKind.WRONG_ANSWER, Fault.AGENT, "why").model_copy(
        update={"evidence": (Evidence(seq=4000, quote="t::bug"),), "steps": ()}
    )
    left = trajectories.refund("t01", 1).model_copy(update={"patch": TakenPatch(seq=4000)})

    view = trial_view("x1", left, sample.config(), [found], [], TASK)

    assert view.findings[0].where == (Where("event 4000", "t::bug", "x1-e4000"),)
