# The guard, behind a line that defines "as", by which it does things as the tasks' user: kills what a worker leaves behind. Arguments: ticks until the first beat is missed, seconds
# per tick, the mark that all commands of this worker carry in their environment, and the register of groups that the
# worker starts without telling: a file of words, or nothing. Its first word is written here: dead before all is killed,
# live when commands may run again. The others are the worker's: a group, or new where one is about to start.
#
# It reads lines from the worker on standard input, and answers on standard output:
#   b N   the worker lives, and its leases hold for another N ticks
#   a P   process group P is about to start a command
#   k P   kill it, it stays known;          r P   kill what is left of it and forget it
#   s M   kill what carries mark M;         d D   remove folder D in the end;  p N   answer p N
# End of file: the worker is gone. Too many ticks without a beat: it is frozen. Either way all is
# killed; a group killed for a missed beat is answered as x P, and x 0 says that whatever carried the mark meanwhile was
# killed, too; one that was not empty when it was released as l P.
#
# Only what POSIX gives: read has no time limit, so ticks come through the same pipe as the worker's
# lines. Each writes whole lines of less than PIPE_BUF bytes, so they never mix.

# Ctrl-C, a closed terminal or a polite kill of the worker's group must not end it before its work, nor must an answer
# to a worker that is dead
trap '' HUP INT QUIT TERM TSTP PIPE
cd / || exit 1
exec 3<&0 4>&1 </dev/null >/dev/null 2>&1

feed() {
  exec 4>&-
  { exec 3<&-; while sleep "$2"; do echo t || exit 0; done; } &
  ticker=$!
  # reads byte by byte and forwards whole lines; a last line without its end is dropped
  while read -r line; do echo "$line" || exit 0; done <&3
  echo e
  kill -KILL "$ticker"
}

# Processes that left their group (setsid) are found by their environment, where /proc shows it.
# Three rounds, as they may fork meanwhile. The tasks' user does that, if they have one: /proc shows
# nobody else their environment, and what that user reports is not to be killed with more rights.
sweep() {
  # shellcheck disable=SC2016 # the shell that is started expands them
  as /bin/sh -c '
    [ -r /proc/self/environ ] || exit 0
    for _ in 1 2 3; do
      found=$(grep -Fls -e "$1" /proc/[0-9]*/environ) || [ -n "$found" ] || exit 0
      for file in $found; do
        pid=${file#/proc/}
        kill -KILL "${pid%/environ}"
      done
    done' cloudkon-sweep "$1"
}

# Everything that is mounted below this folder, its outer mounts first, with a slash behind. Their list has no
# symbolic links, changes while they go, and writes a blank as \040. Of a name with a tab or a line end only the part before
# it, which is never taken for another place.
mounted() {
  list=$(cat /proc/self/mounts 2>/dev/null)
  while read -r _ place _; do
    place=$(printf '%b' "${place%%\\01[12]*}")
    case $place in "$1"/*) printf '%s/\n' "$place" ;; esac
  done <<END
$list
END
}

# What lies in the tasks' folders may be their user's, who removes it; the folders are the worker's.
# Mounts go first, private ones only, so that nothing that they share is unmounted elsewhere; with a tasks' user they stay,
# who could lead the unmount elsewhere. A folder in which one is left stays, because what it shows would be removed
# through it.
clear() {
  here=$(cd -P -- "$1" && pwd) || return 0
  [ "$(as id -u)" != "$(id -u)" ] || mounted "$here" | while read -r place; do
    mount --make-rprivate "${place%/}"
    umount -l "${place%/}"
  done
  left=$(mounted "$here")
  shift
  for folder in "$here"/task-*; do
    case $left in *"$folder"/*) ;; *) set -- "$@" "$folder" ;; esac
  done
  # shellcheck disable=SC2016 # the shell that is started expands them
  as /bin/sh -c 'rm -rf -- "$@" || { chmod -R u+rwx -- "$@"; rm -rf -- "$@"; }' cloudkon-clear "$@"
  for each in "$here"/* "$here"/.[!.]*; do
    case $left in *"$each"/*) ;; *) rm -rf -- "$each" ;; esac
  done
  rmdir -- "$here"
}

# The number is killed as a group and as a process: before setsid ran it is not yet a group.
slay() {
  kill -KILL "-$1"
  kill -KILL "$1"
}

# Not appended to and not truncated, as the worker has it mapped.
say() { [ -z "$register" ] || echo "$1" 1<>/dev/fd/5; }
registered() { [ -z "$register" ] || cat /dev/fd/5; }

serve() {
  left=$1 mark=$3 register=$4 groups='' folder=''
  [ -z "$register" ] || exec 5<>"$register"
  say live
  while read -r what which; do
    case $what in
      b)
        [ "$left" -gt 0 ] || say live
        left=$which ;;
      t)
        left=$((left - 1))
        [ "$left" -eq 0 ] || continue
        say dead
        for group in $(registered) $groups; do
          case $group in *[!0-9]*) ;; *) echo "x $group" >&4; slay "$group" ;; esac
        done
        sweep "$mark"
        # a worker that woke may have started something while this swept
        echo "x 0" >&4 ;;
      a)
        groups="$groups $which"
        # a frozen worker that wakes starts nothing before its heartbeat is back
        [ "$left" -gt 0 ] || { echo "x $which" >&4; slay "$which"; } ;;
      k) slay "$which" ;;
      r)
        if kill -KILL "-$which"; then echo "l $which" >&4; fi
        kept=
        for group in $groups; do [ "$group" = "$which" ] || kept="$kept $group"; done
        groups=$kept ;;
      s) sweep "$which" ;;
      d) folder=$which ;;
      p) echo "p $which" >&4 ;;
      e)
        found=$(registered)
        for group in $found $groups; do
          case $group in *[!0-9]*) ;; *) slay "$group" ;; esac
        done
        sweep "$mark"
        # what had just become a command showed no mark yet
        case $found in *new*) sleep "$2"; sweep "$mark" ;; esac
        [ -z "$folder" ] || clear "$folder"
        exit 0 ;;
    esac
  done
}

# Only feed keeps the worker's pipe open, so that writing to it fails once feed is gone; only serve
# keeps standard output open, so that its end of file tells that serve is gone.
feed "$@" | { exec 3<&-; serve "$@"; } &
exec 3<&- 4>&-
wait
