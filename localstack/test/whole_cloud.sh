#!/usr/bin/env bash
# A whole cloud on one machine: an empty cluster on LocalStack, a client submits tasks and one gang, emulated instances
# start, work and end themselves; at the end no instance runs and the registry is empty. Needs LocalStack's variables
# (localstack/host-mode.sh start), the built jars, and a Java 25 as JAVA_HOME or on the PATH:
#   localstack/test/whole_cloud.sh [--cache DIR]
set -euo pipefail
unset CDPATH # cd would go elsewhere, and print where
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cluster=cloud-$$
scratch=$(mktemp -d)
chmod 755 "$scratch"
started=()
export CLOUDKON_BUILD=off

booter() { localstack/host-mode.sh booter "${cache[@]}" -- "$@"; }
fail() {
  echo "whole cloud: $*"
  tail -n 20 "$scratch"/*.log "$scratch"/i-*/worker.log 2>/dev/null || true
  exit 1
}
# await SECONDS WHAT COMMAND…
await() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$limit" ] || fail "not so after its time: $what"
    sleep 1
  done
}
end_started() {
  local pid
  for pid in "${started[@]}"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  started=()
}
finish() {
  end_started
  rm -rf "$scratch"
}
no_instance() { [ "$(booter instances -s "$cluster")" = '[]' ]; }
no_worker() { [ "$(./cloudkon status -s "$cluster" --json | jq '.workers | length')" = 0 ]; }

cache=()
[ "${1:-}" != --cache ] || cache=(--cache "$2")
trap finish EXIT
trap 'fail "it was stopped in line $LINENO"' TERM INT

# its Python runs the booter, wherever LocalStack runs
localstack/host-mode.sh install "${cache[@]}" >/dev/null
./cloudkon setup -s "$cluster"
booter template -s "$cluster" --launch-template "cloudkon-$cluster" --options '-t 2 --idle-timeout 5s --billing-minimum 0s'
# not by the function: this process, and no shell around it, is to be ended
localstack/host-mode.sh booter "${cache[@]}" -- run -s "$cluster" --launch-template "cloudkon-$cluster" --root "$scratch" \
  --jar cloudkon-worker/target/cloudkon-worker.jar --java "${JAVA_HOME:+$JAVA_HOME/bin/}java" 2>"$scratch/booter.log" &
started+=($!)
./cloudkon provisioner -s "$cluster" --launcher ec2 --launch-template "cloudkon-$cluster" --worker-slots 2 --max 3 \
  --interval 1s --target 5s 2>"$scratch/provisioner.log" &
started+=($!)

# 60 s of work in tasks of 200 ms, and a gang that needs three instances at once
seq 300 | sed 's/.*/sleep 200ms/' >"$scratch/tasks.txt"
echo 'hpc 6 sleep 1s' >>"$scratch/tasks.txt"
echo "whole cloud: 300 tasks and a gang of 6 ranks are submitted to an empty cluster"
./cloudkon client -s "$cluster" -w "$scratch/tasks.txt" --out "$scratch/run" 2>"$scratch/client.log" ||
  fail "the client ended with $?"
[ "$(grep -c '"status":"SUCCEEDED"' "$scratch/run/results.jsonl")" = 301 ] || fail "301 results should have SUCCEEDED"

echo 'whole cloud: all results are here; the instances are to end themselves'
await 60 'no instance is left' no_instance
await 30 'no worker is registered' no_worker
grep -q 'ends its instance' "$scratch"/i-*/worker.log || fail 'no worker has ended its own instance'
if grep -q 'powers off' "$scratch/booter.log"; then fail 'a worker left it to the unit to end its instance'; fi

end_started
./cloudkon teardown -s "$cluster" --yes --instances
echo "whole cloud: $(grep -c ' boots: ' "$scratch/booter.log") instances booted, worked and ended themselves"
