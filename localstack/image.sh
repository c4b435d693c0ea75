#!/usr/bin/env bash
# An image of LocalStack for a Docker engine that reaches no registry: Debian's own packages, and the Python packages
# that host-mode.sh pins. LocalStack's DynamoDB is not in it, which would be downloaded at its first call.
set -euo pipefail
unset CDPATH # cd would go elsewhere, and print where
cd "$(dirname "${BASH_SOURCE[0]}")"

release=bookworm # the Debian whose python3 is host-mode.sh's

usage() {
  cat <<END
Builds an image of LocalStack without a registry, and prints the lines that make Testcontainers use it.

Usage: image.sh [--cache DIR]   as root, on Linux, with Docker; installs debootstrap where apt-get can

  --cache DIR   as host-mode.sh has it, whose packages it takes, and installs if need be
Example:
  eval "\$(localstack/image.sh)"
Exit codes: 0 done, 2 bad usage, 3 it cannot be built.
END
}

say() { printf '%s\n' "image: $*" >&2; }

fail() { # STATUS MESSAGE
  say "$2"
  exit "$1"
}

cache=()
while [ $# -gt 0 ]; do
  case $1 in
    --cache)
      [ $# -gt 1 ] || fail 2 "--cache needs a value; image.sh --help says more"
      # where it was given
      case $2 in
        /*) cache=(--cache "$2") ;;
        *) cache=(--cache "$OLDPWD/$2") ;;
      esac
      shift
      ;;
    -h | --help)
      usage
      exit
      ;;
    *) fail 2 "there is no option '$1'; image.sh --help says more" ;;
  esac
  shift
done

[ "$(id -u)" -eq 0 ] || fail 3 "debootstrap wants root; run it as root"
said=$(docker info 2>&1 >/dev/null) || fail 3 "no Docker engine answers: ${said##*$'\n'}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
root=$scratch/root log=$scratch/log

venv=$(./host-mode.sh install "${cache[@]}") || exit 3
packages=("$venv"/lib/python*/site-packages)
core=("${packages[0]}"/localstack_core-*.dist-info)
version=${core[0]##*/localstack_core-}
name=cloudkon/localstack:${version%.dist-info}
python=${packages[0]%/site-packages}
python=${python##*/}

if ! command -v debootstrap >/dev/null; then
  { apt-get update -qq && apt-get install -y -qq debootstrap; } >"$log" 2>&1 ||
    { tail -n 5 "$log" >&2; fail 3 "debootstrap is not installed and could not be; install it yourself"; }
fi
say "Debian $release, some 300 MB"
# iproute2: Testcontainers, in a container itself, asks a small image for the way to the engine
debootstrap --variant=minbase --include=python3,ca-certificates,curl,iproute2 "$release" "$root" >"$log" 2>&1 ||
  { tail -n 5 "$log" >&2; fail 3 "debootstrap could not make a Debian $release"; }
[ -x "$root/usr/bin/$python" ] || fail 3 "Debian $release has no $python, for which host-mode.sh has its packages"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
cp -a "${packages[0]}/." "$root/usr/local/lib/$python/dist-packages/"
# where LocalStack's own image has its program, and Testcontainers looks for it
cat >"$root/usr/local/bin/docker-entrypoint.sh" <<END
#!/bin/sh
exec $python -m localstack.runtime.main
END
chmod 755 "$root/usr/local/bin/docker-entrypoint.sh"

say "$name"
tar -C "$root" -c . | docker import \
  --change 'ENV GATEWAY_LISTEN=0.0.0.0:4566 DISABLE_EVENTS=1 SKIP_SSL_CERT_DOWNLOAD=1 DNS_ADDRESS=0' \
  --change 'EXPOSE 4566' \
  --change 'LABEL io.cloudkon.dynamodb=elsewhere' \
  --change 'CMD ["/usr/local/bin/docker-entrypoint.sh"]' \
  - "$name" >"$log" 2>&1 ||
  { tail -n 5 "$log" >&2; fail 3 "docker import could not make $name"; }
cat <<END
export TESTCONTAINERS_LOCALSTACK_CONTAINER_IMAGE=$name
export TESTCONTAINERS_TINYIMAGE_CONTAINER_IMAGE=$name
export TESTCONTAINERS_RYUK_DISABLED=true
export TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
END
