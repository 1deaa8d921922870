# Builds for amd64 and arm64. The base is Debian because the embedded PostgreSQL is linked against glibc, not musl.
FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run build && npm pack

# The runtime files: the packed files and the native dependencies that can't be bundled, at the versions in the lockfile.
WORKDIR /app
RUN --mount=type=cache,target=/root/.npm \
    tar -xzf /build/posthorn-*.tgz --strip-components=1 && \
    cp /build/package-lock.json . && \
    npm ci --omit=dev

FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production \
    LOG_FORMAT=json \
    HOST=0.0.0.0 \
    PORT=3000 \
    WORKER_PORT=3001 \
    BASE_URL=http://127.0.0.1:3000 \
    DATA_DIR=/data
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=build /app /app
WORKDIR /app
USER node
VOLUME /data

# 3000 is the API and the dashboard, 3001 the metrics of a worker (ROLE=worker). 2525 and 2587 are only used if you set INBOUND_SMTP_PORT and SUBMISSION_SMTP_PORT to
# them, because this user can't always listen on ports below 1024. Publish them as 25 and 587.
EXPOSE 3000 3001 2525 2587

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env[process.env.ROLE === 'worker' ? 'WORKER_PORT' : 'PORT'] + '/ready').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]

STOPSIGNAL SIGTERM
CMD ["node", "start.mjs"]
