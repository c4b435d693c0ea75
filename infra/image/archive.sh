#!/bin/sh
# Packs what an instance needs besides a JDK: the worker's jar and this folder's scripts. Prints the archive's SHA-256,
# which is the same for the same content. For Linux, as it takes GNU tar. Usage: infra/image/archive.sh [ARCHIVE]
set -eu
unset CDPATH # cd would go elsewhere, and print where

here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$here/../.." && pwd)
jar=${CLOUDKON_WORKER_JAR:-$home/cloudkon-worker/target/cloudkon-worker.jar}
archive=${1:-$home/target/cloudkon-worker.tar.gz}

if [ ! -f "$jar" ]; then
  echo "archive: there is no $jar; build it with: mvn -DskipTests package" >&2
  exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/cloudkon"
mkdir -p "$(dirname "$archive")"
cp "$jar" "$dir/cloudkon/cloudkon-worker.jar"
cp "$here/install.sh" "$here/power-off.sh" "$here/cloudkon-worker.service" "$dir/cloudkon/"
chmod -R u=rwX,go=rX "$dir/cloudkon"
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$dir" -cf - cloudkon | gzip -n >"$archive"
sha256sum "$archive" | cut -d ' ' -f 1
