"""Builds, lists and removes the images of definitions; an unchanged one is not rebuilt."""

import io
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.errors import SandboxError, UsageError
from trajaudit.sandbox import bootstrap, definition, hostsettings
from trajaudit.sandbox.definition import DEBIAN, Definition
from trajaudit.sandbox.docker import Api, ConflictError, MissingError

Progress = Callable[[str], None]

REPOSITORY = "trajaudit/"
LABEL = "trajaudit.image"
BASE_ARG = "BASE"


@dataclass(frozen=True, kw_only=True)
class BuiltImage:
    """An image that exists in the engine."""

    name: str
    reference: str
    """`trajaudit/<name>:<hash of inputs>`, or the reference that a scenario names."""
    image_id: str
    size: int
    """Bytes, shared layers included."""
    current: bool = True
    """Whether the definition still has these inputs."""


def silent(_line: str) -> None:
    """Report no progress."""


class Images:
    """The image definitions below some folders, and their images in an engine."""

    def __init__(self, api: Api, folders: Sequence[Path], progress: Progress = silent) -> None:
        self._api = api
        self._folders = list(folders)
        self._progress = progress

    def definition(self, name: str) -> Definition | None:
        """Return the definition of that name, or None."""
        return definition.find(name, self._folders)

    def reference(self, name: str, above: tuple[str, ...] = ()) -> str:
        """Return what the image of a definition is called, from its inputs alone.

        Raises:
            UsageError: no such definition, or a circle of bases.
        """
        if name == DEBIAN:
            return bootstrap.reference()
        if name in above:
            raise UsageError(f"bases of images form a circle; got {' → '.join([*above, name])}")
        found = self._known(name)
        base = self.reference(found.settings.base, (*above, name))
        return f"{REPOSITORY}{name}:{found.digest(base)}"

    def build(self, name: str) -> BuiltImage:
        """Make the image of a definition, and before that its base, unless they exist.

        Raises:
            UsageError: no such definition.
            SandboxError: it cannot be built; carries the builder's last lines.
        """
        reference = self.reference(name)
        existing = self._look(name, reference)
        if existing:
            return existing
        if name == DEBIAN:
            bootstrap.make(self._api, self._progress)
        else:
            found = self._known(name)
            base = self.build(found.settings.base)
            self._progress(f"building {reference}")
            self._build(found, reference, base.reference)
        made = self._look(name, reference)
        if made is None:
            raise SandboxError(f"image {reference} was built but is not there")
        return made

    def obtain(self, reference: str) -> BuiltImage:
        """Return an image that is no definition: from the engine, else from its registry.

        Raises:
            SandboxError: neither has it.
        """
        found = self._look(reference, reference)
        if found:
            return found
        repository, tag = split_tag(reference)
        self._progress(f"pulling {reference}")
        try:
            self._api.pull(repository, tag)
        except SandboxError as e:
            known = ", ".join(definition.names(self._folders)) or "none"
            raise SandboxError(
                f"image {reference!r} is neither a definition (known: {known}), nor in the "
                f"engine, nor can it be pulled; {e}"
            ) from e
        found = self._look(reference, reference)
        if found is None:
            raise SandboxError(f"image {reference!r} was pulled but is not there")
        return found

    def ls(self) -> list[BuiltImage]:
        """Return all images that were built here, with whether they are current."""
        current = {self.reference(name) for name in [DEBIAN, *definition.names(self._folders)]}
        return sorted(self._built(current), key=lambda image: image.reference)

    def prune(self, *, all: bool = False) -> list[BuiltImage]:  # noqa: A002 (what is typed: `--all`)
        """Remove the images that are no longer current, or all; return what was removed."""
        removed = []
        for image in reversed(self.ls()):
            if image.current and not all:
                continue
            try:
                self._api.remove_image(image.reference)
            except (ConflictError, MissingError):
                continue  # in use by a container, or base of another image
            removed.append(image)
        return removed

    def _known(self, name: str) -> Definition:
        found = self.definition(name)
        if found is None:
            known = ", ".join([DEBIAN, *definition.names(self._folders)])
            raise UsageError(f"unknown image definition {name!r}; known: {known}")
        return found

    def _built(self, current: set[str]) -> Iterator[BuiltImage]:
        for found in self._api.images(f"{REPOSITORY}*"):
            for reference in found.get("RepoTags") or []:
                yield BuiltImage(
                    name=reference.removeprefix(REPOSITORY).partition(":")[0],
                    reference=reference,
                    image_id=found["Id"],
                    size=found["Size"],
                    current=reference in current,
                )

    def _look(self, name: str, reference: str) -> BuiltImage | None:
        try:
            found = self._api.image(reference)
        except MissingError:
            return None
        return BuiltImage(name=name, reference=reference, image_id=found["Id"], size=found["Size"])

    def _build(self, found: Definition, reference: str, base: str) -> None:
        text = (found.folder / "Dockerfile").read_text()
        extra = _host_files(found, text)
        context = context_archive(found, extra)
        args = {BASE_ARG: base, **hostsettings.proxies(os.environ)}
        labels = {LABEL: found.name}
        messages = self._api.build(context, tag=reference, args=args, labels=labels)
        bootstrap.follow(messages, self._progress)


def _host_files(found: Definition, dockerfile: str) -> Mapping[str, bytes]:
    """Return the host's settings where the Dockerfile uses them before its last stage.

    Raises:
        UsageError: the last stage uses them, so that the image would keep them.
    """
    lines = [line.split("#", 1)[0] for line in dockerfile.splitlines()]
    if not any(hostsettings.FOLDER in line for line in lines):
        return {}
    last_from = max(i for i, line in enumerate(lines) if line.upper().startswith("FROM "))
    if any(hostsettings.FOLDER in line for line in lines[last_from:]):
        raise UsageError(
            f"{found.folder / 'Dockerfile'}:{last_from + 1}: the last stage uses "
            f"{hostsettings.FOLDER}, and the image would keep addresses and certificates of this "
            "host; copy them in a stage of their own and take its result with COPY --from"
        )
    return hostsettings.files(os.environ)


def context_archive(found: Definition, extra: Mapping[str, bytes]) -> io.BytesIO:
    """Return the build's context; times are left out, so that equal files are equal layers."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for path in found.files():
            full = found.folder / path
            mode = 0o755 if full.stat().st_mode & 0o100 else 0o644
            _add(tar, path.as_posix(), full.read_bytes(), mode)
        for name, content in extra.items():
            _add(tar, name, content, 0o644)
    stream.seek(0)
    return stream


def _add(tar: tarfile.TarFile, name: str, content: bytes, mode: int) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    info.mode = mode
    tar.addfile(info, io.BytesIO(content))


def split_tag(reference: str) -> tuple[str, str]:
    """Return repository and tag (or digest) of an image reference."""
    if "@" in reference:
        repository, _, digest = reference.partition("@")
        return repository, digest
    head, colon, tag = reference.rpartition(":")
    return (head, tag) if colon and "/" not in tag else (reference, "latest")
