"""The child process of an embedded model: llama.cpp's server on a loopback port.

Run as a program with one JSON argument `{weights, alias, threads, parallel, context, template}`.
It prints one line `{"url": ...}` once it serves, and ends when its standard input closes: that
happens however its parent dies, `kill -9` included. It imports nothing of trajaudit.
"""

import importlib
import json
import os
import sys
from typing import Any


def parameters(xllamacpp: Any, settings: dict[str, Any]) -> Any:
    """Return llama.cpp's parameters: loopback only, a free port, no page, no slots on show."""
    params = xllamacpp.CommonParams()
    params.model.path = settings["weights"]
    params.model_alias = {settings["alias"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = settings["parallel"]
    params.n_ctx = settings["context"] * settings["parallel"]
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["threads"]
    # Threads that poll for work starve each other, and all else, where cores are shared.
    params.cpuparams.poll = 0
    params.cpuparams_batch.poll = 0
    params.n_gpu_layers = 0
    params.cache_ram_mib = 0
    params.ui = False
    params.endpoint_slots = False
    params.offline = True
    params.fit_params = False
    if settings.get("template"):
        # A name means a template that llama.cpp knows only where it does not read it as Jinja: as
        # such it would be a text without a hole, and no message would reach the model.
        params.use_jinja = False
        params.chat_template = settings["template"]
    return params


def main() -> None:
    """Serve until standard input closes."""
    settings = json.loads(sys.argv[1])
    xllamacpp = importlib.import_module("xllamacpp")
    server = xllamacpp.Server(parameters(xllamacpp, settings))
    print(json.dumps({"url": server.listening_address}), flush=True)  # noqa: T201 (to the parent)
    while os.read(0, 4096):
        pass
    # Without the C++ destructors: they would wait for requests that nobody reads any more.
    os._exit(0)


if __name__ == "__main__":
    main()
