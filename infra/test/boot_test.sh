#!/usr/bin/env bash
# Boots an image as a systemd container on this machine's network, with the embedded emulator in place of AWS, and tests
# the unit: runs, kills, stops, wrong options, --task-user, powering off.
# Usage: infra/test/boot_test.sh ROOT, as root on Linux; ROOT is what image_test.sh installed, and is changed
set -euo pipefail
unset CDPATH # cd would go elsewhere, and print where
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

root=${1:?usage: boot_test.sh ROOT}
export CLOUDKON_BUILD=off
state=$(mktemp -d)
machine='' init='' metadata='' client=''
log=$root/var/log/cloudkon/worker.log
dropins=$root/etc/systemd/system/cloudkon-worker.service.d

fail() {
  echo "boot_test: $*" >&2
  [ ! -f "$state/machine.log" ] || sed 's/^/  machine: /' "$state/machine.log" >&2
  [ ! -f "$state/client.log" ] || sed 's/^/  client: /' "$state/client.log" >&2
  [ ! -f "$log" ] || sed 's/^/  worker: /' "$log" >&2
  exit 1
}

clean_up() {
  local status=$?
  # with the first process of a container all others end
  [ -z "$init" ] || kill -KILL "$init" 2>/dev/null || true
  [ -z "$machine" ] || wait "$machine" 2>/dev/null || true
  # the metadata service's input ends
  exec 9>&-
  [ -z "$client" ] || kill "$client" 2>/dev/null || true
  # where nspawn made them itself, it leaves them
  [ -d /run/systemd/system ] ||
    find /sys/fs/cgroup -depth -type d \( -path '*/payload*' -o -path '*/supervisor*' \) -exec rmdir {} + 2>/dev/null || true
  ./cloudkon local stop --state-dir "$state" >/dev/null 2>&1 || true
  rm -rf "$state"
  exit "$status"
}
trap clean_up EXIT

# until_so SECONDS WHAT COMMAND…: looks ten times a second
until_so() {
  local left=$(($1 * 10)) what=$2
  shift 2
  until "$@"; do
    [ $((left -= 1)) -gt 0 ] || fail "not reached in time: $what"
    sleep 0.1
  done
}

# ---- the machine

command -v systemd-nspawn >/dev/null || { apt-get update -qq && apt-get install -qqy systemd-container; } >"$state/apt.log" 2>&1 ||
  { tail -n 5 "$state/apt.log"; fail "systemd-nspawn is not installed and could not be"; }

inside() { nsenter --target "$init" --all -- "$@"; }
is_booted() { init=$(pgrep --parent "$machine") && inside systemctl is-system-running --quiet 2>/dev/null; }
is_off() { ! kill -0 "$machine" 2>/dev/null; }

boot() {
  # a unit of its own for the container is what only a systemd on this machine could make
  local options=(--register=no)
  [ -d /run/systemd/system ] || options+=(--keep-unit)
  systemd-nspawn --quiet --directory "$root" --boot --machine="cloudkon-$$" --resolv-conf=off --timezone=off \
    --link-journal=no --console=pipe "${options[@]}" </dev/null >"$state/machine.log" 2>&1 9>&- &
  machine=$!
  until_so 60 'the machine to boot' is_booted
}

unit() { inside systemctl show cloudkon-worker.service --property "$1" --value; }
unit_is() { [ "$(unit "$1")" = "$2" ]; }
expect_unit() { unit_is "$1" "$2" || fail "the unit's $1 is $(unit "$1"), expected $2"; }

# configure OPTIONS: as user data does at boot
configure() {
  inside systemctl stop cloudkon-worker.service 2>/dev/null || true
  inside systemctl reset-failed cloudkon-worker.service 2>/dev/null || true
  : >"$log"
  inside /opt/cloudkon/image/install.sh --jdk folder:/opt/cloudkon/jdk-25 --queue image \
    --log-group /cloudkon/image/workers --options "$1" --start 2>"$state/install.log" ||
    fail "install.sh: $(cat "$state/install.log")"
}

# launched TAG: what the metadata service says of who launched this machine, empty if it was nobody; tells the unit
launched() {
  [ -z "$metadata" ] || { exec 9>&-; wait "$metadata"; }
  rm -f "$state/metadata" "$state/until"
  mkfifo "$state/until"
  python3 localstack/metadata.py instance-id=i-0123456789abcdef0 instance-type=c7i.large \
    instance-life-cycle=on-demand ${1:+"tags/instance/cloudkon:launch=$1"} <"$state/until" >"$state/metadata" &
  metadata=$!
  exec 9>"$state/until"
  until_so 10 'the metadata service' test -s "$state/metadata"
  printf '[Service]\nEnvironmentFile=/etc/cloudkon/cloud.env\n' >"$dropins/cloud.conf"
  { sed -n 's/^export //p' "$state/exports"; echo "AWS_EC2_METADATA_SERVICE_ENDPOINT=$(cat "$state/metadata")"; } \
    >"$root/etc/cloudkon/cloud.env"
}

# ---- runs

# submit NAME [LINE…]: sends a run, without waiting for it
submit() {
  name=$1
  shift
  printf '%s\n' "$@" >"$state/tasks.txt"
  timeout 120 ./cloudkon client -s image -w "$state/tasks.txt" --collect 'deep/*' --out "$state/$name" >"$state/client.log" 2>&1 9>&- &
  client=$!
}

finished() {
  wait "$client" || fail "run $name failed: $(cat "$state/$name/results.jsonl")"
}

# stdout TASK EXPECTED
stdout() {
  local out
  out=$(./cloudkon cat "$state/$name/$1")
  [ "$out" = "$2" ] || fail "run $name: task $1 wrote '$out', expected '$2'"
}

runs_command() { pgrep -f "^$1\$" >/dev/null; }
runs_no_command() { ! runs_command "$1"; }

# what every task may expect of the unit
expect_surroundings() { # USER
  # shellcheck disable=SC2016 # the tasks' shell expands them
  submit "$1" 'exec id -un' \
    'exec sh -c "for place in /opt/cloudkon/open /etc/open /home/open; do [ ! -w \$place ] || echo \$place; done"' \
    'exec sh -c "ls /tmp | grep -v hsperfdata; ls /dev/kmsg 2>/dev/null; echo \$TMPDIR"' \
    'exec sh -c "sleep 0.5; cat /proc/self/oom_score_adj"' \
    'exec sh -c "cat /proc/[0-9]*/environ 2>/dev/null | grep -cz ^AWS_SECRET; true"' \
    'exec sh -c "cat /etc/cloudkon/worker.env 2>/dev/null; true"' \
    'exec sh -c "mkdir -p deep; echo kept >deep/file"' \
    'hpc 2 noop'
}

# check_surroundings USER SECRETS: how many processes with credentials its tasks see
check_surroundings() {
  finished
  stdout 1 "$1"
  stdout 2 ''
  stdout 3 /var/tmp
  stdout 4 500
  stdout 5 "$2"
  stdout 6 ''
  [ "$(cat "$state/$name/files/7/deep/file")" = kept ] || fail "run $name: what its task left was not collected"
}

fast='-t 2 --lease 6s --clock-margin 1s --heartbeat 1s'

./cloudkon local --background --state-dir "$state" >"$state/exports" 2>"$state/local.log"
# shellcheck disable=SC1091  # made a line above
. "$state/exports"
export AWS_EC2_METADATA_DISABLED=true
./cloudkon setup -s image >/dev/null
mkdir -p "$root/opt/aws/amazon-cloudwatch-agent/bin" "$dropins"
printf '#!/bin/sh\n' >"$root/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl"
chmod +x "$root/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl"
# what only the unit keeps tasks from
install -d -m 777 "$root"/{home,etc,opt/cloudkon}/open
launched ''
boot
inside touch /tmp/of-the-machine

# ---- as the worker's user

configure "$fast"
expect_surroundings cloudkon
# its own user's processes a task sees, the worker among them: operations.md says so
check_surroundings cloudkon 1
grep -q ' on queue image' "$log" || fail "the worker's log is not in $log"

# ---- SIGKILL to the worker: what it ran ends with it, systemd starts another one, which runs the task again

submit killed 'exec sleep 9.711'
until_so 30 'the task to start' runs_command 'sleep 9.711'
inside systemctl kill --signal=KILL --kill-whom=main cloudkon-worker.service
until_so 5 'the command to end with its worker' runs_no_command 'sleep 9.711'
finished
grep -q '"attempt":2' "$state/killed/results.jsonl" || fail "run killed: $(cat "$state/killed/results.jsonl")"
expect_unit NRestarts 1

# ---- systemctl stop: the task finishes

submit stopped 'exec sleep 3.711'
until_so 30 'the task to start' runs_command 'sleep 3.711'
inside systemctl stop cloudkon-worker.service
finished
grep -q '"attempt":1' "$state/stopped/results.jsonl" || fail "run stopped: $(cat "$state/stopped/results.jsonl")"
expect_unit ActiveState inactive
expect_unit Result success

# ---- wrong options: a reason in the log, and no second try

configure '-t none'
until_so 30 'the worker to refuse its options' unit_is ActiveState failed
expect_unit NRestarts 0
grep -q "none" "$log" || fail "the worker does not say what is wrong"

# ---- --task-user, and a worker that ends itself on a machine that nobody launched

configure "$fast --idle-timeout 5s --billing-minimum 1s --task-user tasks"
expect_surroundings tasks
check_surroundings tasks 0
until_so 60 'the idle worker to end itself' unit_is ActiveState inactive
expect_unit Result success
expect_unit NRestarts 0
is_booted || fail "a machine that no provisioner launched is off"

# ---- the same where a provisioner launched the machine: it goes off

launched L1
configure "$fast --idle-timeout 5s --billing-minimum 1s"
until_so 90 'the machine to power off' is_off
status=0
wait "$machine" || status=$?
[ "$status" -eq 0 ] || fail "systemd-nspawn ended with $status: $(cat "$state/machine.log")"
grep -q 'powering off, launch L1' "$log" || fail "power-off.sh does not say why it powers off"
echo "infra/image: booted by systemd, and served runs as users cloudkon and tasks through a kill, a stop and its own end"
