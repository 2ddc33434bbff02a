#!/usr/bin/env bash
# `npm run stack:image`: builds the image from the Dockerfile without a container engine, and runs it as a container would:
# read-only root file system, unprivileged user, no capabilities, Node as process 1. A Debian made here, with the Node of
# this checkout, replaces the base image. Takes some minutes. Needs Linux, root, mmdebstrap and buildah, else it does
# nothing and exits with 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for program in mmdebstrap buildah unshare; do
  if ! command -v "$program" >/dev/null; then
    echo "left out: $program is not installed"
    exit 0
  fi
done
if [[ "$(id -u)" != 0 ]]; then
  echo 'left out: only root can make a file system for the image'
  exit 0
fi

work="$(mktemp -d /var/tmp/tessera-image-XXXXXX)"
export BUILDAH_ISOLATION=chroot
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
trap 'buildah "${storage[@]}" rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

say() { printf -- '--- %s\n' "$*"; }
fail() {
  echo "failed: $*"
  exit 1
}

base="$(sed -n 's/^FROM \(.*\) AS build$/\1/p' Dockerfile)"
suite="$(sed 's/.*-\(.*\)-slim$/\1/' <<<"$base")"
say "a Debian $suite in place of $base"
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$work/base"
install -m 755 node_modules/node/bin/node "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -r "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$work/base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
chroot "$work/base" useradd --create-home --uid 1000 node
base_container="$(buildah "${storage[@]}" from scratch)"
if [[ -n "${NODE_EXTRA_CA_CERTS:-}" ]]; then
  # The CAs that this machine trusts for package downloads.
  cp "$NODE_EXTRA_CA_CERTS" "$work/base/etc/ssl/certs/ca-certificates.crt"
  buildah "${storage[@]}" config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$base_container"
fi
buildah "${storage[@]}" add --quiet "$base_container" "$work/base" / >/dev/null
buildah "${storage[@]}" commit --quiet --rm "$base_container" "docker.io/library/$base" >/dev/null
rm -rf "$work/base"

say 'the Dockerfile, as written'
buildah "${storage[@]}" build --pull-never --format docker --quiet --tag tessera . >/dev/null

container="$(buildah "${storage[@]}" from --pull-never tessera)"
root="$(buildah "${storage[@]}" mount "$container")"
config() { buildah "${storage[@]}" inspect --type image --format "{{range .Docker.Config.$1}}{{.}}{{\"\\n\"}}{{end}}" tessera; }
mapfile -t entry < <(config Entrypoint)
mapfile -t command < <(config Cmd)
mapfile -t variables < <(config Env)
mapfile -t check < <(config Healthcheck.Test)

say 'what is in it'
for program in npm npx corepack yarn gcc make curl; do
  [[ -z "$(chroot "$root" sh -c "command -v $program")" ]] || fail "$program is in the image"
done
[[ ! -e "$root/tessera/node_modules/typescript" && ! -e "$root/tessera/apps" ]] ||
  fail 'what only the build needs is in the image'
found="$(find "$root/tessera" -uid 1000 -print -quit)"
[[ -z "$found" ]] || fail "the program may change $found"
du -sh "$root/tessera" | sed "s|$root||"

# Runs a command line as in the container, with the image's variables and further ones in front.
contain() {
  # shellcheck disable=SC2016
  exec unshare --mount --pid --fork --kill-child -- bash -c '
    root="$1"; shift
    mount --bind "$root" "$root"
    mount -o remount,ro,bind "$root"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t proc proc "$root/proc"
    exec chroot "$root" setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all \
      env --ignore-environment --chdir=/tessera "$@"' contain "$root" "${variables[@]}" "$@"
}

say 'the command'
(contain tessera --version) >/dev/null || fail 'tessera is not in the PATH'
if (contain tessera user list) >"$work/output" 2>&1; then fail 'a command has made a database'; fi
grep -q 'there is no database' "$work/output" || fail "$(cat "$work/output")"

say 'the default command, without settings: an error message, and a status other than 0'
status=0
(contain "${entry[@]}" "${command[@]}") >"$work/output" 2>&1 || status=$?
grep -q 'database.url: is required' "$work/output" || fail "$(cat "$work/output")"
[[ "$status" != 0 ]] || fail 'it ended with 0'

say 'the config server, its health, and its end on SIGTERM'
port=28888
(contain CONFIG_SERVER_PORT=$port CONFIG_SERVER_NATIVE_LOCATION=/tmp ENCRYPT_KEY=for-this-moment-only \
  "${entry[@]}" dist/apps/config-server/src/main.js) >"$work/output" 2>&1 &
contained=$!
is_healthy() { (contain "HEALTH_URL=http://127.0.0.1:$port/health/ready" "${check[@]:1}"); }
for ((attempt = 0; attempt < 60; attempt++)); do
  if is_healthy; then break; fi
  kill -0 "$contained" 2>/dev/null || fail "$(cat "$work/output")"
  sleep 0.5
done
is_healthy || fail "not healthy in time: $(cat "$work/output")"
first="$(pgrep --parent "$contained")"
[[ "$(awk '/^NSpid:/ { print $NF }' "/proc/$first/status")" == 1 ]] || fail 'it is not process 1'
kill -TERM "$first"
status=0
wait "$contained" || status=$?
[[ "$status" == 0 ]] || fail "it ended with $status: $(cat "$work/output")"
if is_healthy; then fail 'healthy, though nothing runs'; fi

say 'all is well'
