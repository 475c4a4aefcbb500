"""Weakly tested patches are resolved, and something says what their tests do not."""

import pytest

from tests.audit.verifying import beyond_projects as patches
from tests.audit.verifying.beyond_projects import LEDGER
from tests.audit.verifying.conftest import repositories
from trajaudit.audit.verifying.beyond import Beyond, is_weakly_tested
from trajaudit.audit.verifying.beyond_weak import weaknesses
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, PatchVerdict, Prediction, TestStatus, Verification
from trajaudit.datamodel.patch_findings import BeyondCheck as B
from trajaudit.datamodel.patch_findings import CheckResult, LineRange
from trajaudit.datamodel.patch_findings import PatchFindingKind as Kind
from trajaudit.sandbox.container import RUN_LABEL
from trajaudit.sandbox.docker_verifier import DockerVerifier

pytestmark = pytest.mark.docker
RUN = "test-beyond"


@pytest.fixture(scope="module")
def instance(containers: DockerVerifier, tmp_path_factory: pytest.TempPathFactory) -> Instance:
    folder = tmp_path_factory.mktemp("beyond")
    return LEDGER.instance(repositories(folder, "beyond-repositories", [LEDGER]), timeout_s=60)


@pytest.fixture(scope="module")
def beyond(containers: DockerVerifier) -> Beyond:
    return Beyond(Verifier(containers=containers, run_id=RUN), tuple(B))


def looked(beyond: Beyond, instance: Instance, patch: str, check: B) -> CheckResult:
    """Return what one check says of a patch that passes the listed tests."""
    statuses = dict.fromkeys(LEDGER.fail_to_pass, TestStatus.PASSED)
    done = Verification(
        instance_id="ledger",
        status="graded",
        lenient=PatchVerdict.RESOLVED,
        statuses=statuses,
    )
    one = Beyond(beyond.verifier, (check,), beyond._suites, beyond._histories)
    return one.look(instance, Prediction(instance_id="ledger", model_patch=patch), done)[0]


def test_the_suite_shows_what_broke_outside_of_the_lists(
    beyond: Beyond, instance: Instance
) -> None:
    broken, hidden, good = (
        looked(beyond, instance, patch, B.SUITE)
        for patch in (patches.BREAKS_REPORT, patches.HIDES_IT, patches.INCOMPLETE)
    )

    for one in (broken, hidden):
        assert one.finding is not None, one
        assert one.finding.kind is Kind.REGRESSED_OUTSIDE
        assert one.finding.tests == ("tests/test_report.py::test_report",)
    # What the reference solution breaks as well, and what was broken before, is nobody's fault.
    assert (good.status, good.finding) == ("clean", None)
    assert "reference solution breaks" in good.reason


def test_coverage_names_lines_that_no_listed_test_executes(
    beyond: Beyond, instance: Instance
) -> None:
    branches = looked(beyond, instance, patches.BRANCHES, B.COVERAGE)
    gold = looked(beyond, instance, patches.GOLD, B.COVERAGE)
    plain = looked(beyond, instance, patches.INCOMPLETE, B.COVERAGE)

    assert branches.finding is not None
    assert branches.finding.places == (LineRange(path="ledger.py", first=15, last=15),)
    assert (branches.finding.count, branches.finding.of) == (1, 3)
    assert gold.finding is not None
    assert gold.finding.places == (LineRange(path="ledger.py", first=14, last=14),)
    assert (plain.status, plain.reason) == ("clean", "the listed tests execute all 1 changed lines")


def test_static_analysis_names_new_warnings(beyond: Beyond, instance: Instance) -> None:
    branches = looked(beyond, instance, patches.BRANCHES, B.STATIC)

    assert branches.finding is not None
    assert branches.finding.details == ("ledger.py:15 F821 Undefined name `missing`",)
    assert looked(beyond, instance, patches.GOLD, B.STATIC).status == "clean"


def test_the_probe_finds_an_input_on_which_an_incomplete_fix_differs(
    beyond: Beyond, instance: Instance
) -> None:
    incomplete = looked(beyond, instance, patches.INCOMPLETE, B.PROBE)
    renamed = looked(beyond, instance, patches.RENAMED, B.PROBE)
    gold = looked(beyond, instance, patches.GOLD, B.PROBE)

    assert incomplete.finding is not None, incomplete
    assert incomplete.finding.kind is Kind.DIFFERS_FROM_GOLD
    assert incomplete.finding.example is not None
    assert incomplete.finding.example.function == "Account.withdraw"
    assert incomplete.finding.example.gold == "raises ValueError"
    assert renamed.status == "clean", renamed
    assert "as the reference solution on" in renamed.reason
    assert gold.status == "not_done"


def test_all_together_say_that_a_resolved_patch_is_weakly_tested(
    beyond: Beyond, instance: Instance
) -> None:
    def done(patch: str, *checks: B) -> Verification:
        one = Prediction(instance_id="ledger", model_patch=patch)
        found = beyond.verifier.verify(instance, one)
        return Beyond(beyond.verifier, checks).added(instance, one, found)

    weak = done(patches.BRANCHES, B.COVERAGE, B.HISTORY)
    unfixed = done(patches.UNFIXED, B.COVERAGE, B.PROBE)

    assert is_weakly_tested(weak)
    assert [(one.check, one.status) for one in weak.beyond] == [
        (B.COVERAGE, "found"),
        (B.HISTORY, "clean"),
    ]
    assert Verification.model_validate_json(weak.model_dump_json()) == weak
    assert not is_weakly_tested(unfixed)
    assert {one.reason for one in unfixed.beyond} == {"the patch is not resolved"}


def test_a_suite_that_does_not_come_to_its_end_says_so(beyond: Beyond, instance: Instance) -> None:
    one = looked(beyond, instance, patches.LEAVES, B.SUITE)

    assert one.finding is not None, one
    assert one.reason == ("the suite does not come to its end; without the patch 4 tests reported")


def test_faults_in_the_reference_solution_that_no_test_notices_are_named(
    beyond: Beyond, instance: Instance
) -> None:
    said = weaknesses(beyond.verifier, instance)

    assert said == (
        "no test that has to be fixed executes these lines of the reference solution: ledger.py:14",
        "the listed tests pass with ledger.py:15 as `pass` too",
    )


def test_what_the_infrastructure_spoils_is_said_and_looked_at_again(
    beyond: Beyond, instance: Instance
) -> None:
    elsewhere = instance.model_copy(update={"workdir": "/usr", "instance_id": "elsewhere"})

    one = looked(beyond, elsewhere, patches.GOLD, B.COVERAGE)

    assert (one.status, one.spoiled) == ("not_done", True)
    assert "no git repository" in one.reason


def test_a_patch_that_lies_about_its_lines_is_not_believed(
    beyond: Beyond, instance: Instance
) -> None:
    lie = (
        "        return self.balance\n\n\nimport atexit, glob\n\n\ndef lie():\n"
        "    for path in glob.glob('/tmp/*/executed'):\n"
        "        open(path, 'w').write('{}')\n\n\natexit.register(lie)\n"
    )
    one = looked(
        beyond, instance, patches.changed("        return self.balance\n", lie), B.COVERAGE
    )

    assert (one.status, one.finding) == ("not_done", None)


def test_nothing_is_left_behind(containers: DockerVerifier, beyond: Beyond) -> None:
    assert containers.api.containers({RUN_LABEL: RUN}) == []
