"""Where the samples of an Inspect archive lie: one member each, or a folder of chunks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from trajaudit.record.importers.archive import Archive
from trajaudit.record.importers.inspect_text import Attached
from trajaudit.record.importers.json_source import loads
from trajaudit.record.importers.shapes import as_dict, as_list

_WHOLE = re.compile(r"samples/(.+_epoch_(\d{1,9}))\.json")
_CHUNK = re.compile(r"samples/(.+_epoch_(\d{1,9}))/(?:(\w+)/)?(\w+)\.json")
_KEPT_CHUNKS = 4


@dataclass
class SampleFile:
    """One sample: its member, or its chunks by sequence and the index of their first item."""

    key: str
    """`{id}_epoch_{n}`."""
    epoch: int
    name: str
    chunks: dict[str, dict[int, str]] | None = None
    metadata: str | None = None
    """Member of a chunked sample's metadata, where it has some."""

    def load(self, archive: Archive) -> tuple[dict[str, Any], Attached | None]:
        """Return the sample, and how its attachments are found where they lie apart.

        Raises:
            ValueError: a member is missing or broken.
        """
        sample = as_dict(loads(archive.read(self.name)))
        if self.chunks is None:
            return sample, None
        if self.metadata:
            sample["metadata"] = as_dict(loads(archive.read(self.metadata)))
        messages = list(self._items(archive, "messages"))
        sample["events"] = list(self._items(archive, "events"))
        sample["events_data"] = {"messages": messages}
        refs = as_list(sample.pop("message_refs", None))
        if not sample["events"]:
            sample["messages"] = [one for start, end in refs for one in messages[start:end]]
        return sample, self._attached(archive)

    def _items(self, archive: Archive, sequence: str) -> Iterator[Any]:
        expected = 0
        for start, name in sorted((self.chunks or {}).get(sequence, {}).items()):
            if start != expected:
                raise ValueError(f"{sequence} {expected} to {start} are missing")
            items = as_list(loads(archive.read(name)))
            expected += len(items)
            yield from items

    def _attached(self, archive: Archive) -> Attached:
        starts = sorted((self.chunks or {}).get("attachments", {}).items())

        @lru_cache(_KEPT_CHUNKS)
        def chunk(name: str) -> list[Any]:
            return as_list(loads(archive.read(name)))

        def attached(key: str) -> str | None:
            if not key.isdecimal() or len(key) > 9:
                return None
            index = int(key)
            found = next(((s, name) for s, name in reversed(starts) if s <= index), None)
            if found is None:
                return None
            items = chunk(found[1])
            place = index - found[0]
            text = items[place] if place < len(items) else None
            return text if isinstance(text, str) else None

        return attached


@dataclass
class _Parts:
    epoch: int
    shell: str | None = None
    metadata: str | None = None
    chunks: dict[str, dict[int, str]] = field(default_factory=dict)

    def add(self, sequence: str | None, part: str, name: str) -> None:
        """Take a member: `part` of a sequence, or of the sample itself."""
        if sequence is None and part == "sample":
            self.shell = name
        elif sequence is None and part == "metadata":
            self.metadata = name
        elif sequence and part.isdecimal():
            self.chunks.setdefault(sequence, {})[int(part)] = name


def members_of(archive: Archive) -> list[SampleFile]:
    """Return the samples, by epoch, then in the order of the archive."""
    found: dict[str, SampleFile] = {}
    parts: dict[str, _Parts] = {}
    for name in archive.members:
        whole = _WHOLE.fullmatch(name)
        if whole:
            found[whole[1]] = SampleFile(whole[1], int(whole[2]), name)
            continue
        chunk = _CHUNK.fullmatch(name)
        if chunk:
            parts.setdefault(chunk[1], _Parts(int(chunk[2]))).add(chunk[3], chunk[4], name)
    for key, one in parts.items():
        if key not in found and one.shell is not None:
            found[key] = SampleFile(key, one.epoch, one.shell, one.chunks, one.metadata)
    return sorted(found.values(), key=lambda one: one.epoch)
