"""Inspect logs: `.eval` archives (deflate and zstd, whole and chunked samples) and `.json`.

| here | there |
|---|---|
| task, trial | sample id, epoch |
| step | `model` event: its reply, and what is new in its input |
| call id, arguments | `tool_calls[].id`, `.arguments`; the raw text from the provider's reply |
| observation | `tool` event: `result` or `error`, `working_time` |
| history that was shortened | an input without what the one before held |
| final answer | what a `submit` tool gave back, else `output.completion` |
| target | `target`, with `choices` where there are some |
| end reason | `limit`, `error` |
| raw verdict | the first of `scores` |

Long texts lie in `attachments`, inputs are ranges of a pool of messages (`events_data`, or
`message_pool` in logs of version 3): both are followed only where an event needs them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from zipfile import ZipInfo

import msgspec

from trajaudit.datamodel.imported import Loss
from trajaudit.record.importers.archive import MOST_MEMBERS, Archive, MemberError
from trajaudit.record.importers.base import (
    ForeignTrial,
    Importer,
    ReadShare,
    Share,
    Shared,
    Source,
    mapped,
)
from trajaudit.record.importers.inspect_members import SampleFile, members_of
from trajaudit.record.importers.inspect_sample import NAME, LogHead, trial_of
from trajaudit.record.importers.json_source import (
    WHOLE_BYTES,
    document,
    elements,
    head_keys,
    loads,
    member,
)
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_count, as_dict, as_list

_SHARE = 32
"""Samples."""
_KEYS = frozenset({"version", "status", "eval"})


def sniff(source: Source) -> bool:
    """An archive of that name, or a JSON object that begins like a log."""
    if source.is_folder:
        return False
    if source.head.startswith(b"PK\x03\x04"):
        first = source.head[30:1000]
        return source.path.suffix == ".eval" or first.startswith((b"_journal/", b"header.json"))
    begins = source.head[:200].lstrip().startswith(b"{")
    return begins and source.path.suffix == ".json" and head_keys(source) >= _KEYS


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a sample; of several epochs the first ones first."""
    if source.head.startswith(b"PK\x03\x04"):
        yield from _archived(source, losses)
    else:
        yield from _document(source, losses)


def _archived(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    shares = _cut(source, losses) or []
    with _opened(source) as read_share:
        for share in shares:
            yield from read_share(share, losses)
        _count(source, losses)


@dataclass(frozen=True)
class _Index:
    """What is known of an archive before its samples are read."""

    members: dict[str, ZipInfo]
    samples: list[SampleFile]
    header: dict[str, Any]
    losses: tuple[Loss, ...]
    """Of members and header."""


_kept: dict[tuple[object, ...], _Index] = {}
"""The index of the archive that was cut last, until it was read."""


def _index(source: Source) -> _Index:
    """Return what several processes want to know of an archive: it is read once for all that are
    forked later.
    """
    key = _version(source)
    if key not in _kept:
        losses = Losses()
        with Archive(source.path, source.name, losses) as archive:
            header = _header(archive, source.name, losses)
            index = _Index(archive.members, members_of(archive), header, losses.report())
        _kept.clear()
        _kept[key] = index
    return _kept[key]


def _version(source: Source) -> tuple[object, ...]:
    """Return what tells an archive from others, and from what it was: another is read again."""
    one = source.path.stat()
    stamp = (one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns)
    return source.path, source.name, *stamp


def _cut(source: Source, losses: Losses) -> list[Share] | None:
    del losses
    if not source.head.startswith(b"PK\x03\x04"):
        return None
    count = len(_index(source).samples)
    return [Share(start, min(start + _SHARE, count)) for start in range(0, count, _SHARE)]


def _count(source: Source, losses: Losses) -> None:
    """Count what is said of an archive as a whole."""
    index = _index(source)
    losses.merge(index.losses)
    with Archive(source.path, source.name, losses, index.members) as archive:
        _count_missing(archive, index.samples, _planned(index.header), losses)


@contextmanager
def _opened(source: Source) -> Iterator[ReadShare]:
    """Open an archive that was cut."""
    key, index = _version(source), _index(source)
    head = LogHead.of(index.header)
    with Archive(source.path, source.name, Losses(), index.members) as archive:

        def read_share(share: Share, losses: Losses) -> Iterator[ForeignTrial]:
            def make(one: SampleFile) -> ForeignTrial | None:
                sample, attached = one.load(archive)
                return trial_of(sample, head, losses, attached)

            some = index.samples[share.start : share.end]
            places = ((f"{source.name}!{one.name}", one) for one in some)
            yield from mapped(places, make, losses, "sample")

        try:
            yield read_share
        finally:
            _kept.pop(key, None)


def _header(archive: Archive, log: str, losses: Losses) -> dict[str, Any]:
    """Return the header; of a run that goes on, or crashed, what its journal began with."""
    for name in ("header.json", "_journal/start.json"):
        losses.where = f"{log}!{name}"
        if name in archive.members:
            try:
                return as_dict(loads(archive.read(name)))
            except (MemberError, ValueError) as error:
                losses.malformed("header", str(error))
        elif name == "header.json":
            losses.truncated("log", "no header.json: the evaluation did not end")
    losses.truncated("header", "none; model, agent and scorers are unknown")
    return {}


def _count_missing(
    archive: Archive, found: list[SampleFile], planned: list[str], losses: Losses
) -> None:
    """Count samples that a summary tells of, or that were to be run, and no member holds."""
    known = {one.key for one in found}
    for name in archive.members:
        if name == "summaries.json" or name.startswith("_journal/summaries/"):
            losses.where = name
            try:
                told = _summed_up(archive.read(name))
            except (MemberError, ValueError) as error:
                losses.malformed("summaries", str(error))
                continue
            for key in told:
                if key not in known:
                    known.add(key)
                    losses.truncated("samples", f"{key} is summarised, and not in the log")
    losses.where = ""
    for key in planned:
        if key not in known:
            losses.truncated("samples", f"{key} was to be run, and is not in the log")


class _Summary(msgspec.Struct):
    """What a log sums up of a sample, as far as it is asked for: the rest is passed over."""

    id: Any = None
    epoch: Any = None


_summaries = msgspec.json.Decoder(list[_Summary])


def _summed_up(content: bytes) -> list[str]:
    """Return `{id}_epoch_{n}` of the samples that a log sums up.

    Raises:
        ValueError: it is no JSON; texts that are passed over may be no UTF-8.
    """
    try:
        return [f"{one.id}_epoch_{one.epoch}" for one in _summaries.decode(content)]
    except (ValueError, RecursionError):  # not what it should be, or only read by other means
        told = map(as_dict, as_list(loads(content)))
        return [f"{one.get('id')}_epoch_{one.get('epoch')}" for one in told]


def _planned(header: dict[str, Any]) -> list[str]:
    """Return `{id}_epoch_{n}` of the samples that the evaluation was to run, as far as it says."""
    evaluation = as_dict(header.get("eval"))
    ids = as_list(as_dict(evaluation.get("dataset")).get("sample_ids"))
    epochs = as_count(as_dict(evaluation.get("config")).get("epochs")) or 1
    if len(ids) * epochs > MOST_MEMBERS:
        return []
    return [f"{one}_epoch_{epoch}" for epoch in range(1, epochs + 1) for one in ids]


def _document(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    if source.path.stat().st_size <= WHOLE_BYTES:
        log = as_dict(document(source))
        head = LogHead.of(log)
        samples: Iterator[tuple[str, Any]] = (
            (f"{source.name}#{index}", sample)
            for index, sample in enumerate(as_list(log.pop("samples", None)))
        )
    else:
        head = LogHead.of({name: member(source, name) for name in ("eval", "plan", "results")})
        samples = elements(source, losses, "samples")

    def make(sample: Any) -> ForeignTrial | None:
        return trial_of(as_dict(sample), head, losses)

    yield from mapped(samples, make, losses, "sample")


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="Inspect logs, .eval and .json, versions 1 to 3, whole and chunked samples",
    needs=("zstandard",),
    shared=Shared(cut=_cut, count=_count, opened=_opened),
)
