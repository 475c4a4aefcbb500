"""Applies a patch to a tree in memory, as leniently as is safe, and names each tolerance.

`git apply` on the raw bytes is the strict reading and has the first word; this is the second one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from trajaudit.score.patch import binary, paths, placing
from trajaudit.score.patch.placing import PlacingError
from trajaudit.score.patch.reading import read_patch
from trajaudit.score.patch.sections import DEVNULL, Section

Status = Literal["applied", "already_applied", "conflict", "no_patch", "rejected_unsafe"]
DROP_BINARY = "drop_binary"
SKIP_SAME = "skip_identical_new_file"
NEW_FILE = "new_file_header"
DROP_PROTECTED = "drop_protected"
SYMLINK = 0o120000
SUBMODULE = 0o160000
KIND = 0o170000


@dataclass
class Application:
    """What became of a patch."""

    status: Status
    reason: str = ""
    repairs: tuple[str, ...] = ()
    files: dict[str, bytes | None] = field(default_factory=dict)
    """Path → content afterwards, for each file that differs; None: removed."""
    modes: dict[str, int] = field(default_factory=dict)
    undone: tuple[str, ...] = ()
    """Protected files that the patch wanted to change."""


class _UnsafeError(Exception):
    """A patch wants to write where none may."""


def apply_leniently(
    patch: bytes,
    tree: Mapping[str, bytes],
    *,
    roots: Sequence[str] = (),
    protected: Sequence[str] = (),
) -> Application:
    """Apply a patch to a tree (path → content); the tree itself is left alone.

    `roots` are absolute folders at which the tree lay when the patch was made.
    """
    read = read_patch(patch)
    if not read.sections:
        return Application("no_patch", "the text holds no change")
    change = _Change(tree, roots, protected)
    change.repairs += read.repairs
    try:
        for section in read.sections:
            change.section(section)
    except _UnsafeError as e:
        return Application("rejected_unsafe", str(e))
    except PlacingError as e:
        return Application("conflict", str(e))
    return change.result()


def touched_paths(patch: bytes, tree: Mapping[str, bytes], roots: Sequence[str] = ()) -> list[str]:
    """Return every path that a patch may write, as git reads it and as a lenient reader does."""
    found: dict[str, None] = {}
    for section in read_patch(patch).sections:
        for name in (section.old, section.new, *(section.git_names or ())):
            if not name or name == DEVNULL:
                continue
            known = paths.existing(name, tree, roots)
            candidates = [paths.without_prefix(name), paths.new_path(name, roots)[0]]
            candidates += [known[0]] if known else []
            inside = [one for one in candidates if not (paths.is_unsafe(one) or one[0] == "/")]
            found.update(dict.fromkeys(inside))
    return list(found)


class _Change:
    """The tree, and what the sections so far make of it."""

    def __init__(
        self, tree: Mapping[str, bytes], roots: Sequence[str], protected: Sequence[str]
    ) -> None:
        self.repairs: list[str] = []
        self._tree = tree
        self._roots = roots
        self._protected = protected
        self._files: dict[str, bytes | None] = {}
        self._modes: dict[str, int] = {}
        self._already = self._fresh = 0
        self._undone: list[str] = []

    def section(self, section: Section) -> None:
        old, new = self._names(section)
        for path in (old, new):
            if path is not None and paths.is_unsafe(path):
                raise _UnsafeError(f"a patch may not write to {path!r}")
        target = new or old or ""
        guarded = [one for one in (old, new) if one and paths.is_protected(one, self._protected)]
        if guarded:
            self._undone += guarded
            return
        if (section.mode or 0) & KIND in {SYMLINK, SUBMODULE}:
            raise _UnsafeError(f"links and submodules are not written; got {target!r}")
        self._apply(section, old, new, target)

    def _apply(self, section: Section, old: str | None, new: str | None, target: str) -> None:
        if section.stub:
            self.repairs.append(DROP_BINARY)
        elif section.creates:
            self._create(section, target)
        elif section.deletes:
            self._delete(section, old or target)
        else:
            self._edit(section, old or target, new or target)

    def _create(self, section: Section, path: str) -> None:
        if section.binary is not None:
            content = binary.literal(section.binary)
        else:
            content = placing.created(section.hunks)
        there = self._get(path)
        if there is not None and there != content:
            raise PlacingError(f"{path!r} is to be created and is there with other content")
        if there == content:
            self._already += 1
            self.repairs.append(SKIP_SAME)
            return
        self._put(path, content, section.mode)

    def _delete(self, section: Section, path: str) -> None:
        content = self._get(path)
        if content is None:
            raise PlacingError(f"{path!r} is to be deleted and is not there")
        if section.hunks:
            left, used = placing.changed(content, section.hunks)
            if left:
                raise PlacingError(f"{path!r} is to be deleted and holds more than the patch says")
            self.repairs += used
        self._put(path, None, None)

    def _edit(self, section: Section, old: str, new: str) -> None:
        content = self._get(old)
        if content is None:
            self._create_by_change(section, new)
            return
        if section.binary is not None:
            self._put(new, binary.literal(section.binary), section.mode)
            return
        try:
            after, used = placing.changed(content, section.hunks)
        except PlacingError:
            if old == new and section.hunks and placing.contains(content, section.hunks):
                self._already += 1
                return
            raise
        self.repairs += used
        if old != new:
            if self._get(new) is not None:
                raise PlacingError(f"{new!r} is to be created and is there")
            if not section.copied:
                self._put(old, None, None)
        self._put(new, after, section.mode)

    def _create_by_change(self, section: Section, path: str) -> None:
        """Create a file whose header forgot to say that there was none."""
        if len(section.hunks) != 1 or section.hunks[0].old or section.hunks[0].start:
            raise PlacingError(f"{path!r} is not there")
        self.repairs.append(NEW_FILE)
        self._put(path, placing.created(section.hunks), section.mode)

    def _names(self, section: Section) -> tuple[str | None, str | None]:
        first, second = section.git_names or (None, None)
        old = None if section.creates else (section.old or first)
        new = None if section.deletes else (section.new or second)
        if section.creates and (new is None or new == DEVNULL):
            new = second
        if old is not None and new is not None and not section.renamed:
            return self._pair(old, new)
        return (
            None if old is None else self._existing(old),
            None if new is None else self._fresh_path(new),
        )

    def _pair(self, old: str, new: str) -> tuple[str, str]:
        """Return the one file that both names of a changed file mean."""
        for name in (new, old):
            found = paths.existing(name, self._known(), self._roots)
            if found is not None:
                self.repairs += found[1]
                return found[0], found[0]
        path = self._fresh_path(new)
        return path, path

    def _existing(self, name: str) -> str:
        found = paths.existing(name, self._known(), self._roots)
        self.repairs += found[1] if found else ()
        return found[0] if found else paths.new_path(name, self._roots)[0]

    def _fresh_path(self, name: str) -> str:
        path, how = paths.new_path(name, self._roots)
        self.repairs += how
        if path.startswith("/"):
            raise _UnsafeError(f"a patch may not write to {name!r}")
        return path

    def _known(self) -> "_Known":
        return _Known(self._tree, self._files)

    def _get(self, path: str) -> bytes | None:
        return self._files[path] if path in self._files else self._tree.get(path)

    def _put(self, path: str, content: bytes | None, mode: int | None) -> None:
        self._files[path] = content
        self._fresh += 1
        if mode is not None:
            self._modes[path] = mode

    def result(self) -> Application:
        files = {path: new for path, new in self._files.items() if self._tree.get(path) != new}
        undone = tuple(dict.fromkeys(self._undone))
        if self._already and not files:
            return Application("already_applied", "the tree holds the change", undone=undone)
        if self._already and SKIP_SAME not in self.repairs:
            return Application("conflict", "some hunks are in the tree already", undone=undone)
        if not files and not self._modes:
            return Application("no_patch", "the patch changes nothing", undone=undone)
        repairs = tuple(dict.fromkeys(self.repairs))
        return Application("applied", "", repairs, files, self._modes, undone)


class _Known:
    """The paths that exist at this point of the patch."""

    def __init__(self, tree: Mapping[str, bytes], files: Mapping[str, bytes | None]) -> None:
        self._tree = tree
        self._files = files

    def __contains__(self, path: object) -> bool:
        if isinstance(path, str) and path in self._files:
            return self._files[path] is not None
        return path in self._tree
