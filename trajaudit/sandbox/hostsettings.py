"""What a build needs of this host to reach its package index: certificates, index, proxies.

They go into a folder `build-settings` of the build's context, and only for a Dockerfile that uses
it in a stage before the last, so that no image keeps an address or a certificate of the host.
"""

import configparser
import os
from collections.abc import Mapping
from pathlib import Path

FOLDER = "build-settings"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "NO_PROXY", "ALL_PROXY")
"""Build arguments of these names are known to every builder and kept out of the history."""
CERTIFICATES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
SYSTEM_CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
)
INDEX_OPTIONS = ("index-url", "extra-index-url", "trusted-host", "timeout")


def proxies(env: Mapping[str, str]) -> dict[str, str]:
    """Return the proxy variables that are set, in both spellings."""
    names = [*PROXIES, *(name.lower() for name in PROXIES)]
    return {name: env[name] for name in names if env.get(name)}


def files(env: Mapping[str, str], home: Path | None = None) -> dict[str, bytes]:
    """Return the files of the folder `build-settings`: pip.conf and, where found, ca.crt."""
    bundle = certificates(env)
    options = _index_options(env, Path.home() if home is None else home)
    if bundle:
        options["cert"] = f"/{FOLDER}/ca.crt"
    lines = ["[global]", *(f"{name} = {value}" for name, value in options.items())]
    found = {f"{FOLDER}/pip.conf": ("\n".join(lines) + "\n").encode()}
    if bundle:
        found[f"{FOLDER}/ca.crt"] = bundle
    return found


def certificates(env: Mapping[str, str]) -> bytes | None:
    """Return the host's bundle of certificate authorities."""
    named = [env[name] for name in CERTIFICATES if env.get(name)]
    for name in [*named, *SYSTEM_CERTIFICATES]:
        path = Path(name)
        if path.is_file():
            return path.read_bytes()
    return None


def _index_options(env: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return pip's index settings: environment over user over system; host paths mean nothing."""
    options: dict[str, str] = {}
    files = [Path("/etc/pip.conf"), home / ".pip/pip.conf", home / ".config/pip/pip.conf"]
    if env.get("PIP_CONFIG_FILE", os.devnull) != os.devnull:
        files.append(Path(env["PIP_CONFIG_FILE"]))
    config = configparser.RawConfigParser()
    config.read(files)
    for option in INDEX_OPTIONS:
        value = config.get("global", option, fallback="")
        value = env.get("PIP_" + option.upper().replace("-", "_")) or value
        usable = " ".join(part for part in value.split() if not part.startswith(("file:", "/")))
        if usable:
            options[option] = usable
    return options
