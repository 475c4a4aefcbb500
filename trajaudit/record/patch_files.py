"""Reads files of instances and of predictions as SWE-bench writes them; names every fault at once.

JSON lines, a JSON list, or a JSON object keyed by instance id; lists of tests may be JSON in a
string. Fields that are not needed are left alone.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.patch import Instance, Prediction
from trajaudit.errors import StorageError, UsageError

R = TypeVar("R", bound=Record)
_RENAMED = {"FAIL_TO_PASS": "fail_to_pass", "PASS_TO_PASS": "pass_to_pass"}
_LISTS = ("fail_to_pass", "pass_to_pass")
_EMPTY_TEXT = ("patch", "test_patch", "repo", "base_commit")


class PatchFileError(UsageError):
    """A file of instances or predictions is wrong; carries every fault, one line each."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(faults))


def load_instances(path: Path) -> list[Instance]:
    """Read instances, classic ones and those that carry image and script.

    Raises:
        PatchFileError: what is wrong, and where.
    """
    return _load(path, Instance, _instance)


def load_predictions(path: Path) -> list[Prediction]:
    """Read predictions; a patch that is null is an empty one.

    Raises:
        PatchFileError: what is wrong, and where.
    """
    return _load(path, Prediction, _prediction)


class InstanceFile:
    """A file of JSON lines that gets another instance."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def refuse(self, instance_id: str) -> None:
        """Say beforehand why an instance could not be appended.

        Raises:
            PatchFileError: the file is wrong, is a list, or holds the id already.
        """
        if not self.path.exists() or not self.path.stat().st_size:
            return
        if instance_id in {one.instance_id for one in load_instances(self.path)}:
            raise PatchFileError([f"{self.path}:1: instance {instance_id!r} is there already"])
        if self.path.read_text(encoding="utf-8").lstrip().startswith("["):
            raise PatchFileError([f"{self.path}:1: a list cannot be appended to; use JSON lines"])

    def append(self, instance: Instance) -> None:
        """Write one line, with the names that SWE-bench gives the fields.

        Raises:
            StorageError: it cannot be written.
        """
        named = {known: name for name, known in _RENAMED.items()}
        fields = instance.model_dump(mode="json", exclude_none=True)
        line = json.dumps({named.get(name, name): one for name, one in fields.items()})
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+") as stream:
                if stream.tell() and not self.path.read_bytes().endswith(b"\n"):
                    stream.write(b"\n")
                stream.write(f"{line}\n".encode())
        except OSError as e:
            raise StorageError(f"instance cannot be written to {self.path}; got: {e}") from e


def _load(
    path: Path, kind: type[R], fields: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> list[R]:
    faults: list[str] = []
    found: dict[tuple[str, str], R] = {}
    for place, value in _objects(path, faults):
        try:
            if not isinstance(value, dict):
                raise ValueError(f"entry is no object; got {_shown(value)}")  # noqa: TRY004, TRY301 (collected below)
            record = kind.model_validate(fields(value))
            if _key(record) in found:
                raise ValueError(f"entry is there twice; got {_key(record)[0]!r}")  # noqa: TRY301 (collected below)
            found[_key(record)] = record
        except ValidationError as e:
            faults += [f"{place}: {_told(one)}" for one in e.errors()]
        except ValueError as e:
            faults.append(f"{place}: {e}")
    if not found and not faults:
        faults.append(f"{path}:1: file holds no entry")
    if faults:
        raise PatchFileError(faults)
    return list(found.values())


def _objects(path: Path, faults: list[str]) -> Iterator[tuple[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        why = e.strerror if isinstance(e, OSError) else f"not UTF-8; got {e}"
        raise PatchFileError([f"{path}:1: cannot be read; {str(why).lower()}"]) from e
    whole = _whole(text)
    if isinstance(whole, list):
        yield from ((f"{path}:1: entry {number}", one) for number, one in enumerate(whole, start=1))
    elif isinstance(whole, dict) and "instance_id" not in whole:
        for name, one in whole.items():
            yield (
                f"{path}:1: entry {name!r}",
                {"instance_id": name, **one} if isinstance(one, dict) else one,
            )
    else:
        yield from _lines(path, text, faults)


def _whole(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _lines(path: Path, text: str, faults: list[str]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield f"{path}:{number}", json.loads(line)
        except ValueError as e:
            faults.append(f"{path}:{number}: line is no JSON; got: {e}")


def _instance(value: Mapping[str, Any]) -> dict[str, Any]:
    fields = {_RENAMED.get(name, name): one for name, one in value.items()}
    for name in _LISTS:
        if isinstance(fields.get(name), str):
            fields[name] = _list(name, fields[name])
    for name in _EMPTY_TEXT:
        if fields.get(name) is None:
            fields.pop(name, None)
    return {name: one for name, one in fields.items() if name in Instance.model_fields}


def _list(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as e:
        raise ValueError(f"{name} must be a list, or JSON of one; got {_shown(text)}") from e


def _prediction(value: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: one for name, one in value.items() if name in Prediction.model_fields}
    if "model_patch" not in value:
        raise ValueError("field required: model_patch; an empty patch is written as ''")
    return {name: one for name, one in fields.items() if one is not None}


def _key(record: Record) -> tuple[str, str]:
    if isinstance(record, Prediction):
        return record.instance_id, record.model_name_or_path
    return getattr(record, "instance_id", ""), ""


def _told(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"])
    return f"{message[:1].lower()}{message[1:]}: {where}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
