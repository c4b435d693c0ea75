#!/bin/sh
# LocalStack without Docker, on one port of this machine's loopback: SQS, S3, EC2, IAM, STS and CloudWatch.
# DynamoDB comes from the project's own emulator, as LocalStack would download it at its first call.
# POSIX sh, for Linux and macOS.
set -u
unset CDPATH # cd would go elsewhere, and print where

version=4.9.2       # the newest that runs on this Python; 4.14.0, in Docker, needs 3.13
python_version=3.11
pins=$(cd "$(dirname "$0")" && pwd)/pins # of that version: with newer dependencies it does not start
services=sqs,s3,ec2,iam,sts,cloudwatch
ready_limit=120     # seconds; usual are 15
stop_limit=20

usage() {
  cat <<END
LocalStack $version without Docker. Installs what is missing, and prints the lines that point an AWS SDK at it.

Usage: host-mode.sh start [--cache DIR] [--port N] [--dynamodb URL]
       host-mode.sh stop | status | install [--cache DIR]
       host-mode.sh booter [--cache DIR] -- ARGUMENTS

  start            installs it if need be, starts it in the background, returns when it answers
  stop             ends it, and waits until it is gone; what it held is lost
  status           prints its lines again; exit code 3 if none runs
  install          installs it if need be, and prints the folder of its Python environment
  booter           boots the instances of its EC2 as workers on this machine; booter -- --help says more
  --cache DIR      where it is installed (300 MB) and runs, in a folder localstack-host-mode there,
                   one at a time; default: \$XDG_CACHE_HOME/cloudkon or ~/.cache/cloudkon
  --port N         its port on 127.0.0.1, 0 for any free one; default: 4566
  --dynamodb URL   where DynamoDB answers, to AWS_ACCESS_KEY_ID where that is set; default: an emulator that
                   starts and stops with it (cloudkon local)

Examples:
  eval "\$(localstack/host-mode.sh start)"
  ./cloudkon setup -s q && ./cloudkon client -s q -w tasks.txt
  localstack/host-mode.sh stop
Exit codes: 0 done, 2 bad usage, 3 it cannot be installed, started, found or stopped.
END
}

say() { printf '%s\n' "host-mode: $*" >&2; }

fail() { # STATUS MESSAGE
  status=$1
  shift
  say "$*"
  exit "$status"
}

# ---- one command at a time in a cache folder; a lock whose owner has died is taken over

# Whether OWNER no longer has the lock in that folder. One that was killed before it wrote its number has none, and a
# minute for it. The first process of a container always has the same number, so one that had this process's is another one.
left_by() { # OWNER FOLDER
  case $1 in
    "$$") ;;
    '') [ -n "$(find "$2" -prune -mmin +1 2>/dev/null)" ] ;;
    *) ! kill -0 "$1" 2>/dev/null ;;
  esac
}

# Removes a lock that OWNER has left, unless another command was quicker and has it by now.
take_from() { # OWNER
  taken=$cache/lock.$$
  rm -rf "$taken" # of a command that was killed
  mv "$cache/lock" "$taken" 2>/dev/null || return
  if [ "$(cat "$taken/pid" 2>/dev/null)" = "$1" ]; then
    rm -rf "$taken"
  else
    give_back
  fi
}

# Puts the lock in its place again, once a third command that has come meanwhile has left that: mv into a folder would put
# it below.
give_back() {
  until [ ! -e "$cache/lock" ] && mv "$taken" "$cache/lock" && [ ! -e "$cache/lock/${taken##*/}" ]; do
    mv "$cache/lock/${taken##*/}" "$taken" 2>/dev/null
    sleep 1
  done
}

# Whether a command that is too late has the lock of another one, which lives, in its hands.
in_hands() {
  for held in "$cache"/lock.[0-9]* "$cache"/lock/lock.[0-9]*; do
    [ ! -d "$held" ] || left_by "$(cat "$held/pid" 2>/dev/null)" "$held" || return 0
  done
  return 1
}

# Ends this command if nothing can be made in the cache folder: waiting for the lock does not help then.
require_room() { # [mine], if the lock is this command's
  if reason=$({ mkdir -p "$cache/probe.$$" && printf '%s\n' $$ >"$cache/probe.$$/pid"; } 2>&1); then
    rm -rf "$cache/probe.$$"
    return
  fi
  rm -rf "$cache/probe.$$"
  [ -z "${1:-}" ] || [ -s "$cache/lock/pid" ] || rm -rf "$cache/lock"
  fail 3 "nothing can be written to the cache folder $cache (${reason##*: }); make room there, or name another one with --cache"
}

take() {
  if ! mkdir "$cache/lock" 2>/dev/null; then
    [ -e "$cache/lock" ] || require_room
    return 1
  fi
  if printf '%s\n' $$ 2>/dev/null >"$cache/lock/pid"; then
    in_hands || return 0
    # not with what that command may have put into it by mistake
    [ "$(cat "$cache/lock/pid" 2>/dev/null)" != $$ ] || rm -f "$cache/lock/pid"
    rmdir "$cache/lock" 2>/dev/null
    return 1
  fi
  # the number cannot be written while a command that is too late has the folder in its hands, or at all
  require_room mine
  return 1
}

lock() {
  mkdir -p "$cache/run" 2>/dev/null || fail 3 "the cache folder $cache cannot be made; name another one with --cache"
  until take; do
    owner=$(cat "$cache/lock/pid" 2>/dev/null)
    if left_by "$owner" "$cache/lock" && take_from "$owner"; then
      continue
    fi
    [ -n "${told:-}" ] || say "waiting for the other command on $cache, process ${owner:-?}"
    told=yes
    sleep 1
  done
  trap 'leave' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

# A start that failed, or was interrupted, leaves nothing running.
leave() {
  status=$?
  trap '' INT TERM HUP
  [ -z "${started_emulator:-}" ] || emulator stop >/dev/null 2>&1
  [ -z "${started_localstack:-}" ] || end_localstack
  [ "$(cat "$cache/lock/pid" 2>/dev/null)" != $$ ] || rm -rf "$cache/lock"
  exit "$status"
}

# ---- installation

find_uv() {
  if command -v uv >/dev/null 2>&1; then
    uv=uv
    return
  fi
  uv=$cache/tools/bin/uv
  [ ! -x "$uv" ] || return 0
  for python in python3 python "python$python_version"; do
    if "$python" -m pip --version >/dev/null 2>&1; then
      say "installing uv into $cache/tools"
      "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --target "$cache/tools" \
        -r "$pins/uv.txt" >"$log" 2>&1 &&
        [ -x "$uv" ] && return
      tail -n 5 "$log" >&2
      fail 3 "pip could not install uv (log: $log); install it yourself: https://docs.astral.sh/uv"
    fi
  done
  fail 3 "neither uv nor a Python with pip is on the PATH; install uv: https://docs.astral.sh/uv"
}

install_missing() {
  stamp="localstack-core $version, Python $python_version, $(cksum <"$pins/localstack.txt")"
  [ "$(cat "$venv/installed" 2>/dev/null)" != "$stamp" ] || return 0
  log=$cache/install.log
  find_uv
  say "installing LocalStack $version into $venv (300 MB); log: $log"
  # home holds the list of plug-ins (plux) that the version before has found
  rm -rf "$venv" "${cache:?}/home"
  "$uv" venv --quiet --python "$python_version" "$venv" >"$log" 2>&1 ||
    { tail -n 5 "$log" >&2; fail 3 "there is no Python $python_version, and uv could not fetch one (log: $log)"; }
  VIRTUAL_ENV=$venv "$uv" pip install --require-hashes -r "$pins/localstack.txt" >>"$log" 2>&1 ||
    { tail -n 5 "$log" >&2; fail 3 "uv could not install localstack-core $version (log: $log)"; }
  printf '%s\n' "$stamp" >"$venv/installed"
}

# ---- what the shell alone cannot do portably

# What a socket can tell: "free" (prints a free port), "taken PORT", "answers HOST PORT", "healthy PORT".
ask() {
  "$venv/bin/python" - "$@" <<'END'
import socket, sys, urllib.request

what = sys.argv[1]
try:
    if what in ("free", "taken"):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", 0 if what == "free" else int(sys.argv[2])))
            if what == "free":
                print(probe.getsockname()[1])
    elif what == "answers":
        url = urllib.request.urlparse(sys.argv[2])
        port = url.port or (443 if url.scheme == "https" else 80)
        socket.create_connection((url.hostname, port), 5).close()
    else:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        direct.open("http://127.0.0.1:%s/_localstack/health" % sys.argv[2], timeout=5).close()
except (OSError, ValueError):
    sys.exit(0 if what == "taken" else 1)
sys.exit(1 if what == "taken" else 0)
END
}

arguments_of() { # PID
  if [ -r "/proc/$1/cmdline" ]; then
    tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null
  else
    ps -p "$1" -o args= 2>/dev/null
  fi
}

# Sets pid if the LocalStack of this cache folder lives. A number alone may be another process's by now.
lives() {
  pid=$(cat "$cache/run/pid" 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null || return 1
  case $(arguments_of "$pid") in
    *"cloudkon=$cache "* | *"cloudkon=$cache") ;;
    *) return 1 ;;
  esac
}

# ---- LocalStack

# Nothing of this shell's environment reaches it: a token, a profile or a setting of another LocalStack would change it.
# It gets a session of its own, so that neither Ctrl-C nor the end of the terminal reaches it.
spawn() {
  rm -rf "$cache/run/filesystem"
  mkdir -p "$cache/run/filesystem" "$cache/home"
  (
    cd "$cache/run" || exit 1
    exec env -i PATH="$PATH" HOME="$cache/home" XDG_CACHE_HOME="$cache/home/.cache" \
      FILESYSTEM_ROOT="$cache/run/filesystem" OVERRIDE_IN_DOCKER=0 \
      GATEWAY_LISTEN="127.0.0.1:$port" LOCALSTACK_HOST="127.0.0.1:$port" SQS_ENDPOINT_STRATEGY=path \
      SERVICES="$services" EAGER_SERVICE_LOADING=1 \
      DISABLE_EVENTS=1 SKIP_SSL_CERT_DOWNLOAD=1 DNS_ADDRESS=0 \
      "$venv/bin/python" -c 'import os, sys
os.setsid()
os.execv(sys.executable, [sys.executable, "-m", "localstack.runtime.main"] + sys.argv[1:])' \
      "cloudkon=$cache" </dev/null >"$cache/run/localstack.log" 2>&1
  ) &
  pid=$!
  printf '%s\n' "$pid" >"$cache/run/pid"
  printf '%s\n' "$port" >"$cache/run/port"
  started_localstack=yes
}

await_ready() {
  waited=0
  until grep -q '^Ready\.' "$cache/run/localstack.log" 2>/dev/null && ask healthy "$port"; do
    if ! kill -0 "$pid" 2>/dev/null; then
      tail -n 20 "$cache/run/localstack.log" >&2
      fail 3 "LocalStack ended while it was starting; its log: $cache/run/localstack.log"
    fi
    if [ "$waited" -ge "$ready_limit" ]; then
      tail -n 20 "$cache/run/localstack.log" >&2
      fail 3 "LocalStack was not ready within $ready_limit s; its log: $cache/run/localstack.log"
    fi
    sleep 1
    waited=$((waited + 1))
  done
}

# Ends process pid, gently at first, and then whatever is left of its session.
end_localstack() {
  kill "$pid" 2>/dev/null
  waited=0
  while kill -0 "$pid" 2>/dev/null && [ "$waited" -lt "$stop_limit" ]; do
    sleep 1
    waited=$((waited + 1))
  done
  kill -9 "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null
  rm -f "$cache/run/pid" "$cache/run/port" "$cache/run/variables"
}

# ---- DynamoDB

emulator() { # start | stop
  case $1 in
    # Ctrl-C must not end it half-way: one that is not ready yet cannot be told to stop
    start) (trap '' INT HUP && exec "$home/cloudkon" local --background --state-dir "$cache/run/emulator") ;;
    # without a build, unless the jar is gone
    stop)
      CLOUDKON_BUILD=off "$home/cloudkon" local stop --state-dir "$cache/run/emulator" ||
        "$home/cloudkon" local stop --state-dir "$cache/run/emulator"
      ;;
  esac
}

require_dynamodb() {
  ask answers "$dynamodb" || fail 3 "no DynamoDB answers at $dynamodb; start one with: $home/cloudkon local --background"
}

start_emulator() {
  started_emulator=yes
  lines=$(emulator start 2>"$cache/run/emulator.log") ||
    { tail -n 1 "$cache/run/emulator.log" >&2; fail 3 "the emulator for DynamoDB could not be started; give another DynamoDB with --dynamodb URL"; }
  dynamodb=$(printf '%s\n' "$lines" | sed -n 's/^export AWS_ENDPOINT_URL_DYNAMODB=//p')
  [ -n "$dynamodb" ] || fail 3 "cloudkon local --background names no AWS_ENDPOINT_URL_DYNAMODB; it printed: $lines"
  take_credentials "$lines"
}

# The emulator checks its own; LocalStack takes any.
take_credentials() {
  key_id=$(printf '%s\n' "$1" | sed -n 's/^export AWS_ACCESS_KEY_ID=//p')
  secret=$(printf '%s\n' "$1" | sed -n 's/^export AWS_SECRET_ACCESS_KEY=//p')
}

# ---- commands

start() {
  # of a DynamoDB that was named
  key_id=${AWS_ACCESS_KEY_ID:-local}
  secret=${AWS_SECRET_ACCESS_KEY:-local}
  lock
  if lives; then
    running=$(cat "$cache/run/port")
    case $wanted_port in
      '' | 0 | "$running") port=$running ;;
      *) fail 3 "LocalStack runs on port $running already; end it with: $0 stop${cache_option}" ;;
    esac
    say "LocalStack already runs: process $pid"
    [ -z "$dynamodb" ] || require_dynamodb
    remembered=$(sed -n 's/^export AWS_ENDPOINT_URL_DYNAMODB=//p' "$cache/run/variables" 2>/dev/null)
    if [ -z "$dynamodb" ] && [ -n "$remembered" ] && ask answers "$remembered"; then
      dynamodb=$remembered
      take_credentials "$(cat "$cache/run/variables")"
    fi
  else
    install_missing
    [ -z "$dynamodb" ] || require_dynamodb
    port=${wanted_port:-4566}
    [ "$port" -ne 0 ] || port=$(ask free) || fail 3 "there is no free port on 127.0.0.1"
    ! ask taken "$port" || fail 3 "port $port of 127.0.0.1 is taken; choose another one with --port N, or --port 0 for any free one"
    spawn
  fi
  [ -n "$dynamodb" ] || start_emulator
  await_ready
  # the first line undoes what would outrank AWS_ENDPOINT_URL
  # for nobody else: with --dynamodb, the credentials are the caller's
  (umask 077 && cat >"$cache/run/variables.new") <<END
unset AWS_ENDPOINT_URL_SQS AWS_ENDPOINT_URL_S3 AWS_SESSION_TOKEN
export AWS_ENDPOINT_URL=http://127.0.0.1:$port
export AWS_ENDPOINT_URL_DYNAMODB=$dynamodb
export AWS_REGION=us-east-1
export AWS_ACCESS_KEY_ID=$key_id
export AWS_SECRET_ACCESS_KEY=$secret
END
  mv "$cache/run/variables.new" "$cache/run/variables"
  started_localstack=
  started_emulator=
  say "LocalStack runs: process $pid, log $cache/run/localstack.log. End it with: $0 stop${cache_option}"
  cat "$cache/run/variables"
}

stop() {
  if [ ! -d "$cache/run" ]; then
    say "no LocalStack runs from $cache"
    return
  fi
  lock
  if lives; then
    end_localstack
    say "LocalStack, process $pid, has ended"
  else
    rm -f "$cache/run/pid" "$cache/run/port" "$cache/run/variables"
    say "no LocalStack runs from $cache"
  fi
  if [ -d "$cache/run/emulator" ]; then
    emulator stop 2>"$cache/run/emulator.log" ||
      { tail -n 1 "$cache/run/emulator.log" >&2; fail 3 "the emulator for DynamoDB could not be stopped"; }
    rm -rf "$cache/run/emulator"
  fi
}

status() {
  { lives && [ -f "$cache/run/variables" ]; } || fail 3 "no LocalStack runs from $cache; start one with: $0 start${cache_option}"
  say "LocalStack runs: process $pid"
  cat "$cache/run/variables"
}

install() {
  lock
  # not under a LocalStack that runs from it
  lives || install_missing
  printf '%s\n' "$venv"
}

home=$(cd -P "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/cloudkon
cache_option=
wanted_port=
dynamodb=
command=${1:-}
[ $# -eq 0 ] || shift
while [ $# -gt 0 ]; do
  case $1 in
    --)
      [ "$command" = booter ] || fail 2 "only booter takes arguments behind --; $0 --help says more"
      shift
      break
      ;;
    -h | --help) command=help ;;
    --cache | --port | --dynamodb)
      [ $# -gt 1 ] || fail 2 "$1 needs a value; $0 --help says more"
      case $1 in
        --cache)
          cache=$2
          cache_option=" --cache $2"
          ;;
        --port) wanted_port=$2 ;;
        --dynamodb) dynamodb=$2 ;;
      esac
      shift
      ;;
    *) fail 2 "there is no option '$1'; $0 --help says more" ;;
  esac
  shift
done

case $wanted_port in
  '') ;;
  *[!0-9]* | ??????*) fail 2 "--port must be 0 (any free one) to 65535, not '$wanted_port'" ;;
  *) [ "$wanted_port" -le 65535 ] || fail 2 "--port must be 0 (any free one) to 65535, not $wanted_port" ;;
esac
case $dynamodb in
  '' | http://?* | https://?*) ;;
  *) fail 2 "--dynamodb must be a URL such as http://127.0.0.1:8000, not '$dynamodb'" ;;
esac
case $cache in
  /*) ;;
  '') fail 2 "--cache must name a folder" ;;
  *) cache=$(pwd)/$cache ;;
esac
# only what is below this name is ever deleted
cache=$cache/localstack-host-mode
venv=$cache/venv

case $command in
  start | stop | status | install) "$command" ;;
  booter)
    [ -x "$venv/bin/python" ] || fail 3 "LocalStack is not installed in $cache; install it with: $0 start${cache_option}"
    exec "$venv/bin/python" "$home/localstack/booter.py" "$@"
    ;;
  help | -h | --help) usage ;;
  '')
    usage >&2
    exit 2
    ;;
  *) fail 2 "there is no command '$command'; $0 --help says more" ;;
esac
