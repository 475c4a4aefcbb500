"""The only door to the docker SDK: what is asked of an engine, with every error translated."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any, cast

import docker
import requests

from trajaudit.errors import SandboxError
from trajaudit.sandbox import wire
from trajaudit.sandbox.locate import Engine

TIMEOUT_S = 30
ATTACH_TIMEOUT_S = 30

Json = dict[str, Any]


class MissingError(SandboxError):
    """The engine knows no such container or image."""


class ConflictError(SandboxError):
    """The container or image is in a state in which that cannot be done."""


@contextmanager
def _translated(doing: str) -> Iterator[None]:
    try:
        yield
    except docker.errors.NotFound as e:
        raise MissingError(f"cannot {doing}; got: {e.explanation}") from e
    except docker.errors.APIError as e:
        kind = ConflictError if e.status_code == requests.codes.conflict else SandboxError
        raise kind(f"cannot {doing}; got: {e.explanation}") from e
    except requests.exceptions.Timeout as e:
        raise SandboxError(f"cannot {doing}; the engine did not answer in {TIMEOUT_S} s") from e
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as e:
        raise SandboxError(f"engine lost: cannot {doing}; got: {e}") from e


class Api:
    """One engine. Safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        with _translated("talk to the container engine"):
            self._client = docker.APIClient(
                base_url=engine.url, version=engine.api, timeout=TIMEOUT_S
            )

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def create(self, config: Json, name: str | None = None) -> str:
        """Create a container from the engine's own JSON and return its id."""
        with _translated("create a container"):
            answer = self._client.create_container_from_config(config, name)  # type: ignore[no-untyped-call]  # the stubs lack types
            return str(answer["Id"])

    def start(self, container: str) -> None:
        with _translated("start the container"):
            self._client.start(container)

    def attach_input(self, container: str) -> wire.Connection:
        """Return the connection to the main program's standard input."""
        return self._upgrade(f"/containers/{container}/attach?stdin=1&stream=1", {})

    def put(self, container: str, path: str, archive: bytes) -> None:
        """Unpack a tar archive into a container that need not run."""
        with _translated(f"copy files to {path}"):
            self._client.put_archive(container, path, archive)

    def open_exec(
        self, container: str, argv: Sequence[str], *, stdin: bool, **where: Any
    ) -> tuple[str, wire.Connection]:
        """Start a command in a container; return its id and the connection to it.

        `where` is any of user, workdir and environment.
        """
        with _translated("run a command in the container"):
            answer = self._client.exec_create(container, list(argv), stdin=stdin, **where)
        exec_id = str(answer["Id"])
        return exec_id, self._upgrade(f"/exec/{exec_id}/start", {"Detach": False, "Tty": False})

    def exit_code(self, exec_id: str) -> int | None:
        """Return the exit code of an exec, or None while it runs."""
        with _translated("ask for an exit code"):
            found = self._client.exec_inspect(exec_id)
        return None if found["Running"] else cast("int | None", found["ExitCode"])

    def inspect(self, container: str) -> Json:
        with _translated("look at the container"):
            return cast("Json", self._client.inspect_container(container))

    def kill(self, container: str) -> None:
        with _translated("kill the container"):
            self._client.kill(container)

    def remove(self, container: str) -> None:
        """Kill and remove a container with its anonymous volumes."""
        with _translated("remove the container"):
            self._client.remove_container(container, force=True, v=True)

    def containers(self, labels: Mapping[str, str]) -> list[Json]:
        """Return all containers, also stopped ones, that carry the labels."""
        wanted = [f"{key}={value}" for key, value in labels.items()]
        with _translated("list containers"):
            return cast("list[Json]", self._client.containers(all=True, filters={"label": wanted}))

    def written(self, containers: Sequence[str]) -> dict[str, int]:
        """Return how many bytes each container that is there has written to its own layer."""
        with _translated("ask how much containers have written"):
            found = self._client.containers(all=True, size=True, filters={"id": list(containers)})
        return {str(one["Id"]): int(one.get("SizeRw") or 0) for one in found}

    def events(self, container: str, since: float, until: float) -> list[Json]:
        """Return what happened to a container lately, without waiting."""
        filters = {"container": [container]}
        with _translated("ask for events"):
            found = self._client.events(
                since=int(since), until=int(until), filters=filters, decode=True
            )
            return cast("list[Json]", list(found))

    def image(self, reference: str) -> Json:
        with _translated(f"look at image {reference!r}"):
            return cast("Json", self._client.inspect_image(reference))  # type: ignore[no-untyped-call]  # the stubs lack types

    def image_history(self, reference: str) -> list[Json]:
        with _translated(f"look at image {reference!r}"):
            return cast("list[Json]", self._client.history(reference))  # type: ignore[no-untyped-call]  # the stubs lack types

    def images(self, reference: str) -> list[Json]:
        """Return the tagged images whose name matches a pattern."""
        with _translated("list images"):
            found = self._client.images(filters={"reference": [reference]})
            return cast("list[Json]", found)

    def pull(self, repository: str, tag: str) -> None:
        with _translated(f"pull image {repository}:{tag}"):
            self._client.pull(repository, tag=tag)

    def tag(self, image: str, repository: str, tag: str) -> None:
        with _translated(f"tag image {image!r}"):
            self._client.tag(image, repository, tag)

    def remove_image(self, image: str) -> None:
        with _translated(f"remove image {image!r}"):
            self._client.remove_image(image)

    def load_root(self, archive: IO[bytes], *, repository: str, tag: str) -> None:
        """Make an image of one layer from a tar archive of a root file system."""
        with _translated("import an image"):
            answer = self._client.import_image_from_stream(archive, repository=repository, tag=tag)
        if "error" in answer:
            raise SandboxError(f"cannot import an image; got: {answer}")

    def build(
        self, context: IO[bytes], *, tag: str, args: Mapping[str, str], labels: Mapping[str, str]
    ) -> Iterator[Json]:
        """Build an image from a tar archive with the classic builder; yield its messages."""
        with _translated(f"build image {tag}"):
            yield from self._client.build(
                fileobj=context,
                custom_context=True,
                tag=tag,
                buildargs=dict(args),
                labels=dict(labels),
                rm=True,
                forcerm=True,
                decode=True,
                timeout=1800,
            )

    def _upgrade(self, path: str, body: Json) -> wire.Connection:
        full = f"/v{self.engine.api}{path}"
        return wire.upgrade(self.engine.url, full, body, timeout_s=ATTACH_TIMEOUT_S)
