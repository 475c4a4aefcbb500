"""`trajaudit verify`: which patches really fix their issue, decided by tests in containers."""

import hashlib
import json
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import IO, Literal

from trajaudit import __version__
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.instances import InstanceCheck, check_instance
from trajaudit.datamodel.patch import Instance, PatchVerdict, Prediction, Verification
from trajaudit.errors import NoEngineError, SandboxError, StorageError, UsageError
from trajaudit.record.patch_files import load_instances, load_predictions
from trajaudit.record.project import sandbox_folders
from trajaudit.sandbox.docker_verifier import DockerVerifier

CODE = ("trajaudit.score.patch", "trajaudit.audit.verifying")
Pair = tuple[Instance, Prediction]


@dataclass(frozen=True, kw_only=True)
class VerifyOptions:
    """What may be chosen for one verification of many predictions."""

    out: Path | None = None
    """JSON lines, one for each prediction as it is decided; those that still hold are kept."""
    concurrency: int = 2
    retries: int = 1
    """How often a verification that the infrastructure spoiled is begun anew."""
    say: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True, kw_only=True)
class VerifyResult:
    """All verifications, in the order of the predictions, and what could not be looked at."""

    verifications: Sequence[Verification]
    unknown: Sequence[str]
    """Instance ids of predictions for which there is no instance."""
    missing: Sequence[str]
    """Instances without a prediction."""
    kept: int
    """Of the verifications: how many an earlier run had decided."""

    def count(self, mode: Literal["strict", "lenient"]) -> tuple[int, int]:
        """Return (resolved, graded); what speaks against an instance grades nothing."""
        verdicts = [getattr(one, mode) for one in self.verifications if one.status == "graded"]
        graded = [one for one in verdicts if one is not PatchVerdict.INVALID_INSTANCE]
        return graded.count(PatchVerdict.RESOLVED), len(graded)


def verify(instances: Path, predictions: Path, options: VerifyOptions) -> VerifyResult:
    """Verify every prediction that has an instance.

    Raises:
        UsageError: a file is wrong; nothing was started.
        NoEngineError: there is no container engine.
    """
    if options.concurrency < 1 or options.retries < 0:
        raise UsageError("concurrency must be at least 1, and retries at least 0")
    known = {one.instance_id: one for one in load_instances(instances)}
    proposed = load_predictions(predictions)
    pairs = [(known[one.instance_id], one) for one in proposed if one.instance_id in known]
    containers = DockerVerifier(sandbox_folders(Path.cwd()), progress=options.say)
    try:
        containers.reap()
        verifier = Verifier(containers=containers, run_id=f"verify-{secrets.token_hex(4)}")
        done, kept = _all(verifier, pairs, options)
    finally:
        containers.close()
    answered = {one.instance_id for one in proposed}
    return VerifyResult(
        verifications=done,
        unknown=[one.instance_id for one in proposed if one.instance_id not in known],
        missing=[name for name in known if name not in answered],
        kept=kept,
    )


def check_instances(instances: Path, options: VerifyOptions, repeats: int) -> list[InstanceCheck]:
    """Check instances by themselves, without any prediction.

    Raises:
        UsageError: the file is wrong; nothing was started.
        NoEngineError: there is no container engine.
    """
    if options.concurrency < 1 or repeats < 1:
        raise UsageError("concurrency and repeats must be at least 1")
    known = load_instances(instances)
    containers = DockerVerifier(sandbox_folders(Path.cwd()), progress=options.say)
    verifier = Verifier(containers=containers, run_id=f"verify-{secrets.token_hex(4)}")
    try:
        containers.reap()
        with ThreadPoolExecutor(options.concurrency) as pool:
            try:
                return list(pool.map(lambda one: check_instance(verifier, one, repeats), known))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                verifier.stop()
                raise
    finally:
        containers.close()


def _all(
    verifier: Verifier, pairs: Sequence[Pair], options: VerifyOptions
) -> tuple[list[Verification], int]:
    code = code_hash()
    earlier = {one.key: one for one in _earlier(options.out) if one.status == "graded"}
    found: dict[int, Verification] = {}
    waiting: list[tuple[int, Pair, str]] = []
    for number, pair in enumerate(pairs):
        key = verification_key(pair, _image_of(verifier, pair), code)
        if key in earlier:
            found[number] = earlier[key]
        else:
            waiting.append((number, pair, key))
    kept = len(found)
    with _appending(options.out) as stream:
        for number, one in _verified(verifier, waiting, options):
            found[number] = one
            stream(one)
    return [found[number] for number in sorted(found)], kept


def _verified(
    verifier: Verifier, waiting: Sequence[tuple[int, Pair, str]], options: VerifyOptions
) -> Iterator[tuple[int, Verification]]:
    with ThreadPoolExecutor(options.concurrency) as pool:
        jobs = {
            pool.submit(_one, verifier, pair, key, options.retries): number
            for number, pair, key in waiting
        }
        try:
            for job in as_completed(jobs):
                one = job.result()
                options.say(f"{one.instance_id}: {one.lenient or one.reason}")
                yield jobs[job], one
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            verifier.stop()
            raise


def _one(verifier: Verifier, pair: Pair, key: str, retries: int) -> Verification:
    """Verify one prediction; what the infrastructure spoils is tried again, then ungraded."""
    instance, prediction = pair
    reason = ""
    for _ in range(retries + 1):
        try:
            done = verifier.verify(instance, prediction)
        except NoEngineError:
            raise
        except (SandboxError, OSError) as e:
            reason = str(e)
            if verifier.stopped.is_set():
                break
        else:
            return done.model_copy(update={"key": key})
    return Verification(
        instance_id=instance.instance_id,
        model_name_or_path=prediction.model_name_or_path,
        status="ungraded",
        reason=reason,
        key=key,
    )


def _image_of(verifier: Verifier, pair: Pair) -> str:
    """Return the id of an image; of one that cannot be had, nothing: its verification will say."""
    try:
        return verifier.containers.prepare(pair[0].image) if pair[0].image else ""
    except SandboxError:
        return ""


def verification_key(pair: Pair, image: str, code: str) -> str:
    """Return a hash of everything that decides about a prediction."""
    instance, prediction = pair
    parts = [instance.model_dump(mode="json"), prediction.model_dump(mode="json"), image, code]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def code_hash() -> str:
    """Return a hash of the code that verifies."""
    total = hashlib.sha256(__version__.encode())
    for package in CODE:
        for source in sorted(files(package).iterdir(), key=lambda one: one.name):
            if source.name.endswith(".py"):
                total.update(source.read_bytes())
    return total.hexdigest()


def _earlier(path: Path | None) -> Iterator[Verification]:
    """Read what an earlier run decided; the line that it was killed in counts for nothing."""
    if path is None or not path.exists():
        return
    for line in path.read_bytes().splitlines():
        try:
            yield Verification.model_validate_json(line)
        except ValueError:
            continue


class _appending:  # noqa: N801 (used as a statement, like a function)
    """Append verifications to a file, each one whole before the next."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stream: IO[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Callable[[Verification], None]:
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self._path.open("ab")
                if self._stream.tell() and not self._path.read_bytes().endswith(b"\n"):
                    self._stream.write(b"\n")
            except OSError as e:
                raise StorageError(f"results cannot be written to {self._path}; got: {e}") from e
        return self._append

    def __exit__(self, *exc: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def _append(self, one: Verification) -> None:
        if self._stream is not None:
            with self._lock:
                self._stream.write(one.model_dump_json().encode() + b"\n")
                self._stream.flush()
