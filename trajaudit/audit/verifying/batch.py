"""Many verifications at a time: what still holds is kept, the rest decided and written at once."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from trajaudit.audit.verifying.beyond import Beyond, has_looked
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.deciding import verification
from trajaudit.audit.verifying.keys import baseline_key, code_hash, verification_key
from trajaudit.datamodel.patch import Instance, Prediction, Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence
from trajaudit.datamodel.patch_findings import BeyondCheck
from trajaudit.errors import NoEngineError, SandboxError
from trajaudit.record.patch_results import Results, sha256_of

Pair = tuple[Instance, Prediction]


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """What decides about each verification beside instance and patch, and how they are run."""

    concurrency: int = 2
    retries: int = 1
    """How often a verification that the infrastructure spoiled is begun anew."""
    repeats: int = 1
    """Runs of the tests, without and with the patch; tests that differ cannot decide."""
    baseline: bool = True
    """Run the tests of each instance without a patch, once for all its predictions."""
    beyond: Sequence[BeyondCheck] = ()
    """Where to look further than the listed tests; decides nothing."""


@dataclass
class Batch:
    """Verifies predictions side by side."""

    verifier: Verifier
    options: BatchOptions
    results: Results | None = None
    say: Callable[[str], None] = field(default=lambda _: None)

    def __post_init__(self) -> None:
        self._settings = (code_hash(), self.options.repeats, self.options.baseline)
        earlier = self.results.earlier() if self.results else ()
        self._earlier = {one.key: one for one in earlier if one.status == "graded" and one.key}
        self._beyond = Beyond(self.verifier, self.options.beyond)
        self._baselines: dict[str, Baseline] = {}
        self._running: dict[str, threading.Lock] = defaultdict(threading.Lock)

    def verified(self, pairs: Sequence[Pair]) -> Iterator[tuple[int, Verification, bool]]:
        """Yield number, verification and whether it was kept, in the order in which they end.

        Raises:
            NoEngineError: the engine is gone.
            StorageError: results cannot be written.
        """
        with ThreadPoolExecutor(self.options.concurrency) as pool:
            try:
                # In here as well: a Ctrl-C between the two would wait for tests that hang.
                jobs = {pool.submit(self._one, *pair): number for number, pair in enumerate(pairs)}
                for job in as_completed(jobs):
                    one, kept = job.result()
                    if not kept:
                        self.say(f"{one.instance_id}: {one.lenient or one.reason}")
                        if self.results is not None:
                            self.results.append(one)
                    yield jobs[job], one, kept
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.verifier.stop()
                raise

    def _one(self, instance: Instance, prediction: Prediction) -> tuple[Verification, bool]:
        """Verify one prediction; what the infrastructure spoils is tried again, then ungraded."""
        reason = key = ""
        for _ in range(self.options.retries + 1):
            try:
                image = self.verifier.image(instance) if instance.image else ""
                key = verification_key(instance, prediction, image, *self._settings)
                known = self._earlier.get(key)
                if known is not None and has_looked(known, self.options.beyond):
                    return known, True
                done = known or self._decided(instance, prediction, image, key)
                return self._beyond.added(instance, prediction, done), False
            except NoEngineError:
                raise
            except (SandboxError, OSError) as e:
                reason = str(e)
                if self.verifier.stopped.is_set():
                    break
        return Verification(
            instance_id=instance.instance_id,
            model_name_or_path=prediction.model_name_or_path,
            status="ungraded",
            reason=reason,
            key=key,
        ), False

    def _decided(
        self, instance: Instance, prediction: Prediction, image: str, key: str
    ) -> Verification:
        evidence = self.verifier.examine(instance, prediction, repeats=self.options.repeats)
        baseline = self._baseline(instance, image, evidence)
        if baseline is not None:
            known = {"baseline_key": baseline.key, "baseline_sha256": sha256_of(baseline)}
            evidence = evidence.model_copy(update=known)
        done = verification(evidence, baseline)
        kept = self.results.keep(evidence) if self.results is not None else ""
        return done.model_copy(update={"key": key, "evidence": kept})

    def _baseline(self, instance: Instance, image: str, evidence: Evidence) -> Baseline | None:
        """Return how tests end without a patch, where any test was to be run with one."""
        if not self.options.baseline or not (
            evidence.runs or not evidence.patch.test_patch_applied
        ):
            return None
        key = baseline_key(instance, image, *self._settings)
        with self._running[key]:
            if key not in self._baselines:
                stored = self.results.baseline(key) if self.results is not None else None
                repeats = self.options.repeats
                made = stored or self.verifier.baseline(instance, repeats=repeats, key=key)
                if self.results is not None and stored is None:
                    self.results.keep_baseline(made)
                self._baselines[key] = made
        return self._baselines[key]
