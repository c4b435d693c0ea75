#!/usr/bin/env bash
# The model of the claim protocol, checked by spin; README.md beside this file says what that means.
#   docs/model/check.sh                 every mode, and every planted bug: about two minutes
#   docs/model/check.sh long            every mode with three events: about five minutes, 4 GB
#   docs/model/check.sh trace MODE -D…  a short way to a violation, step by step
# Needs spin and gcc. What it makes lies in target/model. Exits non-zero on any surprise.
set -uo pipefail
unset CDPATH # cd would go elsewhere, and print where
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/claim.pml
work=$(dirname "$model")/../../target/model
surprises=0

# build OPTIMIZATION CHECK MODE FLAG…: spin makes a checker of the model in a folder of its own, and gcc compiles it.
build() {
  local optimization=$1 check=$2 mode=$3
  shift 3
  folder=$work/$mode$(printf '%s' "$@" "$check" | tr -d ' ')
  rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
  if ! spin "-DMODE=$mode" "$@" -a "$model" >spin.log 2>&1 ||
    ! gcc "$optimization" "$check" -DMEMLIM=12000 -o pan pan.c >gcc.log 2>&1; then
    cat spin.log gcc.log
    echo "the model could not be built: $mode $*"
    exit 1
  fi
}

# outcome: what pan said: "complete", the violation it found, or "incomplete".
outcome() {
  local violation
  violation=$(sed -n 's/^pan:[0-9]*: \(.*\) (at depth [0-9]*)$/\1/p' pan.log | head -n 1)
  if [ -n "$violation" ]; then
    echo "$violation"
  elif grep -q 'errors: 0$' pan.log && ! grep -qE 'Search not completed|search depth too small|out of memory' pan.log; then
    echo complete
  else
    echo incomplete
  fi
}

states() {
  awk '/states, stored/ { print $1 }' pan.log
}

report() {
  printf '%-14s %-58s %10s states %4d s  %s\n' "$1" "$2" "$(states)" "$((SECONDS - begun))" "$3"
}

# clean MODE FLAG…: all states, and no violation.
clean() {
  local begun mode=$1
  build -O1 -DSAFETY "$@"
  shift
  begun=$SECONDS
  ./pan -m100000 >pan.log 2>&1
  local found
  found=$(outcome)
  if [ "$found" = complete ]; then
    report "$mode" "$*" 'no violation'
  else
    report "$mode" "$*" "SURPRISE: $found"
    surprises=$((surprises + 1))
  fi
}

# ends MODE FLAG…: no run goes on for ever.
ends() {
  local begun mode=$1 found
  build -O1 -DNP "$@"
  shift
  begun=$SECONDS
  ./pan -l -m100000 >pan.log 2>&1
  found=$(outcome)
  if [ "$found" = complete ]; then
    report "$mode" "$*" 'every run ends'
  else
    report "$mode" "$*" "SURPRISE: $found"
    surprises=$((surprises + 1))
  fi
}

# caught MODE FLAG…: a violation is found.
caught() {
  local begun mode=$1 found
  build -O0 -DSAFETY "$@"
  shift
  begun=$SECONDS
  ./pan -m100000 >pan.log 2>&1
  found=$(outcome)
  case $found in
    complete | incomplete)
      report "$mode" "$*" "SURPRISE: nothing found, $found"
      surprises=$((surprises + 1))
      ;;
    *) report "$mode" "$*" 'found' ;;
  esac
}

trace() {
  build -O1 -DREACH "$@"
  ./pan -i -m100000 >pan.log 2>&1
  if [ ! -f claim.pml.trail ]; then
    echo "no violation: $*"
    return 1
  fi
  local mode=$1
  shift
  spin -t -T "-DMODE=$mode" "$@" -k claim.pml.trail "$model" | sed '/^#processes/,$d; /^ *$/d'
}

if ! command -v spin >/dev/null || ! command -v gcc >/dev/null; then
  echo 'spin and gcc are needed: apt-get install spin gcc'
  exit 1
fi

case ${1:-} in
  trace)
    shift
    trace "$@"
    exit
    ;;
  long)
    for mode in EXACTLY_ONCE AT_MOST_ONCE AT_LEAST_ONCE; do
      clean $mode -DEVENTS=3
    done
    [ $surprises -eq 0 ]
    exit
    ;;
  '') ;;
  *)
    sed -n '3,5s/^# *//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac

echo '=== the protocol as it is: all states'
clean EXACTLY_ONCE -DEVENTS=3
clean AT_MOST_ONCE -DEVENTS=2
clean AT_LEAST_ONCE -DEVENTS=3
for mode in EXACTLY_ONCE AT_MOST_ONCE AT_LEAST_ONCE; do
  ends $mode -DEVENTS=2
done

echo '=== the known limit: a start that stalls after its check'
caught EXACTLY_ONCE -DSTALLED_START
clean EXACTLY_ONCE -DSTALLED_START -DOVERLAP_ALLOWED
clean AT_MOST_ONCE -DSTALLED_START -DOVERLAP_ALLOWED

echo '=== planted bugs'
for bug in STALE_WRITE_ACCEPTED FENCING_IGNORED NONCE_LOST LIVE_LEASE_TAKEN GRANTED_LATE_TRUSTED LEASE_UNWATCHED \
  CHILD_FORGOTTEN SPLIT_SENDS_FIRST DELETED_EARLY RECORDED_BEFORE_REPLIED RELEASE_TAKEN_BACK; do
  caught EXACTLY_ONCE "-DBUG_$bug"
done
for bug in STALE_WRITE_ACCEPTED NONCE_LOST SPLIT_SENDS_FIRST STARTS_OF_A_LATE_COPY STARTS_NOT_RECORDED LOSING_SKIPPED \
  LOST_SHOWN_AT_ONCE; do
  caught AT_MOST_ONCE "-DBUG_$bug"
done
caught AT_LEAST_ONCE -DBUG_DELETED_EARLY

if [ $surprises -gt 0 ]; then
  echo "$surprises surprises"
  exit 1
fi
echo 'as expected'
