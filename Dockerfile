# One server of Countersite; its data is in /data: mount a volume there. docs/containers.md says how to run it.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
# What builds it has hashes, too.
RUN pip install --no-cache-dir --require-hashes --requirement deploy/build.lock \
    && pip wheel --no-cache-dir --no-build-isolation --no-deps --wheel-dir /wheel .

FROM python:3.13-slim
COPY deploy/requirements.lock /tmp/
COPY --from=build /wheel /tmp/wheel
# The hashes are those of the lock file; what pip lists there is all that runs.
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/requirements.lock \
    && pip install --no-cache-dir --no-deps /tmp/wheel/*.whl \
    && rm -r /tmp/requirements.lock /tmp/wheel \
    && useradd --system --uid 10001 --user-group --no-create-home countersite \
    && install --directory --mode 0700 --owner countersite --group countersite /data
USER 10001
ENV COUNTERSITE_DATA=/data PORT=8000
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD \
    ["python", "-c", "import os, urllib.request as ask; ask.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=2)"]
CMD ["sh", "-c", "countersite migrate --no-input && countersite collectstatic --no-input --verbosity 0 \
    && exec countersite serve --host 0.0.0.0"]
