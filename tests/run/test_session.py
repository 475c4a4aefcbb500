"""What is the same from trial to trial, and what differs."""

from trajaudit.datamodel.scenario import Generation
from trajaudit.run.session import generation_of, trial_seed


def test_samples_of_a_seeded_model_differ_and_can_be_repeated() -> None:
    fixed = Generation(seed=7, temperature=0.5)

    seeds = [generation_of(fixed, trial).seed for trial in (1, 2, 3)]

    assert seeds == [7, 8, 9]


def test_without_a_seed_nothing_is_set() -> None:
    assert generation_of(Generation(), 3).seed is None


def test_the_seed_of_a_trial_depends_on_scenario_task_and_number() -> None:
    seeds = {trial_seed(seed, task, n) for seed in (0, 1) for task in ("a", "b") for n in (1, 2)}

    assert len(seeds) == 8
    assert trial_seed(0, "a", 1) == trial_seed(0, "a", 1)
