"""Writes the definition of an image that holds a repository at one commit, and nothing later.

The image's repository is made anew of the files of the base, so it has one commit and no history,
tag, remote or reflog that could be read. Without a command to install, nothing of the project is
executed: its folders go on Python's path, and its name and version where they can be looked up.
"""

import configparser
import gzip
import hashlib
import io
import re
import tarfile
import tomllib
from collections.abc import Mapping
from email.parser import Parser
from pathlib import Path

from trajaudit.record.source_tree import SourceFile, Tree

WORKDIR = "/testbed"
EPOCH = 946684800
"""Time of every file, in seconds: archives cannot hold what is much older."""
MADE_BY = "# Made by `trajaudit verify init`."
SOURCE_FOLDERS = ("src", "lib")
COMMIT = (
    "RUN git init -q --template= && git add -A -f \\\n"
    " && GIT_AUTHOR_DATE='946684800 +0000' GIT_COMMITTER_DATE='946684800 +0000' git \\\n"
    "      -c user.name=base -c user.email=base@localhost commit -q --allow-empty -m base \\\n"
    " && git reflog expire --expire=now --all && git gc -q --prune=now\n"
)
SITE = (
    "COPY site /instance-site\n"
    'RUN site="$(python -c \'import sysconfig; print(sysconfig.get_paths()["purelib"])\')" \\\n'
    ' && cp /instance-site/*.pth "$site"/ && rm /instance-site/*.pth \\\n'
    " && { sh /instance-site/installed 2> /dev/null \\\n"
    '      || cp -r /instance-site/*.dist-info "$site"/ || true; } && rm -rf /instance-site\n'
)
"""What was installed under the project's name wins over what is known of it without."""
PLAIN = f"""ARG BASE
FROM ${{BASE}}
ADD repository.tar.gz {WORKDIR}/
WORKDIR {WORKDIR}
{COMMIT}{SITE}"""
INSTALLED = f"""ARG BASE
FROM ${{BASE}} AS build
COPY build-settings /build-settings
ADD repository.tar.gz {WORKDIR}/
WORKDIR {WORKDIR}
{COMMIT}COPY install.sh /install.sh
RUN PIP_CONFIG_FILE=/build-settings/pip.conf PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \\
    bash -e /install.sh
{SITE}
FROM ${{BASE}}
COPY --from=build /opt/venv /opt/venv
COPY --from=build {WORKDIR} {WORKDIR}
WORKDIR {WORKDIR}
"""


def definition_name(instance_id: str) -> str:
    """Return what the image of an instance is called: its id where that can be a name of one."""
    plain = re.sub(r"[^a-z0-9]+", "-", instance_id.lower()).strip("-")[:60]
    if plain == instance_id:
        return plain
    return f"{plain or 'instance'}-{hashlib.sha256(instance_id.encode()).hexdigest()[:8]}"


def definition_files(tree: Tree, base: str, install: str | None) -> dict[str, bytes]:
    """Return the files of a definition.

    Args:
        tree: The repository's files.
        base: Name of the definition that it is built upon.
        install: Shell command that installs what the tests need; has the network.
    """
    files = {
        "sandbox.yaml": f"{MADE_BY}\nbase: {base}\n".encode(),
        "Dockerfile": f"{MADE_BY}\n{PLAIN if install is None else INSTALLED}".encode(),
        "repository.tar.gz": _archive(tree),
        "site/instance-source.pth": _path_lines(tree),
    }
    files |= {f"site/{name}": content for name, content in _metadata(tree).items()}
    if install is not None:
        files["install.sh"] = f"{install}\n".encode()
    return files


def write_definition(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a definition."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def project_name(tree: Tree) -> tuple[str, str] | None:
    """Return name and version that a project gives itself, None where it does not say."""
    if "PKG-INFO" in tree:
        said = Parser().parsestr(_text(tree["PKG-INFO"]))
        name, version = said["Name"], said["Version"]
    elif (project := _pyproject(tree)).get("name"):
        name, version = project["name"], project.get("version") or "0"
    else:
        config = configparser.RawConfigParser(strict=False)
        config.read_string(_text(tree["setup.cfg"]) if "setup.cfg" in tree else "")
        name = config.get("metadata", "name", fallback=None)
        version = config.get("metadata", "version", fallback="0")
    named = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", str(name or ""))
    if not named:
        return None
    return str(name), version if re.fullmatch(r"[0-9][\w.!+-]*", str(version)) else "0"


def _metadata(tree: Tree) -> dict[str, bytes]:
    """Return what `importlib.metadata` reads, so that a project finds its own version; and a
    command that succeeds where it does already.
    """
    try:
        found = project_name(tree)
    except (ValueError, configparser.Error):
        found = None
    if found is None:
        return {}
    name, version = found
    folder = f"{re.sub(r'[-_.]+', '_', name)}-{version}.dist-info"
    asked = f"import importlib.metadata as found; found.version('{name}')"
    files = {
        "installed": f'python -c "{asked}"\n',
        f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
    }
    points = _entry_points(tree)
    if points:
        files[f"{folder}/entry_points.txt"] = points
    return {path: text.encode() for path, text in files.items()}


def _entry_points(tree: Tree) -> str:
    project = _pyproject(tree)
    named = project.get("entry-points")
    groups = {"console_scripts": project.get("scripts")}
    groups |= named if isinstance(named, dict) else {}
    return "".join(
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in points.items())
        for group, points in groups.items()
        if isinstance(points, dict)
    )


def _pyproject(tree: Tree) -> dict[str, object]:
    if "pyproject.toml" not in tree:
        return {}
    try:
        found = tomllib.loads(_text(tree["pyproject.toml"])).get("project", {})
    except tomllib.TOMLDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _path_lines(tree: Tree) -> bytes:
    """Return the folders that packages lie in, for Python's path."""
    tops = {path.partition("/")[0] for path in tree if "/" in path}
    inner = [one for one in SOURCE_FOLDERS if one in tops and f"{one}/__init__.py" not in tree]
    return "".join(f"{WORKDIR}/{one}\n" for one in inner).encode() + f"{WORKDIR}\n".encode()


def _archive(tree: Tree) -> bytes:
    """Return a tar archive whose bytes depend on the tree alone."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", errors="surrogateescape") as tar:
        for path, file in sorted(tree.items()):
            info = tarfile.TarInfo(path)
            info.mtime = EPOCH
            info.mode = 0o755 if file.executable else 0o644
            _add(tar, info, file)
    return gzip.compress(plain.getvalue(), mtime=0)


def _add(tar: tarfile.TarFile, info: tarfile.TarInfo, file: SourceFile) -> None:
    if file.link:
        info.type = tarfile.SYMTYPE
        info.linkname = file.content.decode("utf-8", "surrogateescape")
        tar.addfile(info)
    else:
        info.size = len(file.content)
        tar.addfile(info, io.BytesIO(file.content))


def _text(file: SourceFile) -> str:
    return file.content.decode("utf-8", "replace")
