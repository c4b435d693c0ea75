#!/bin/sh
# Installs a CloudKon worker from the folder that this script lies in, on Amazon Linux 2023 or Debian: a JDK, a user,
# a systemd unit, log shipping. Run by user data at boot, and by Packer into an image. POSIX sh.
set -u
# The worker's user must be able to read what is installed, whatever the umask of who installs it.
umask 022
unset CDPATH # cd would go elsewhere, and print where

needed=25
user=cloudkon

usage() {
  cat <<END
Installs a CloudKon worker as a systemd service.

Usage: install.sh --jdk SOURCE [OPTIONS]

  --jdk SOURCE       package         the system's own: Corretto on Amazon Linux, OpenJDK on Debian 13
                     package:NAME    another package
                     folder:DIR      one that is there
                     FILE.tar.gz     an archive, or its address: https:// or s3://
  --jdk-sha256 HEX   of the archive; an archive needs it
  --queue NAME       the cluster; without it nothing is configured or started, as in an image
  --region NAME      its region
  --options 'A B'    more options of the worker
  --rmi-port PORT    its port for calls of other workers, unless the options name one or have --roles mtc
  --bucket NAME      its S3 bucket, unless the options name one; without it the default
  --log-group NAME   ship the worker's log to this group of CloudWatch Logs
  --aot              make a cache by which the JVM starts faster
  --start            start it now, and at every boot
  --root DIR         install into this root, instead of the running system

Exit codes: 0 done, 2 bad usage, 3 something could not be installed.
END
}

say() { printf '%s\n' "install: $*" >&2; }

fail() { # STATUS MESSAGE
  status=$1
  shift
  say "$*"
  exit "$status"
}

# try WHAT COMMAND…: a command whose failure ends the installation
try() {
  what=$1
  shift
  "$@" || fail 3 "$what failed: $*"
}

# ---- arguments

here=$(cd "$(dirname "$0")" && pwd)
root='' jdk='' sha='' queue='' region='' options='' rmi_port='' bucket='' log_group='' aot='' start=''
while [ $# -gt 0 ]; do
  case $1 in
    --jdk | --jdk-sha256 | --queue | --region | --options | --rmi-port | --bucket | --log-group | --root)
      [ $# -ge 2 ] || fail 2 "$1 needs a value"
      ;;
  esac
  case $1 in
    --jdk) jdk=$2 ;;
    --jdk-sha256) sha=$2 ;;
    --queue) queue=$2 ;;
    --region) region=$2 ;;
    --options) options=$2 ;;
    --rmi-port) rmi_port=$2 ;;
    --bucket) bucket=$2 ;;
    --log-group) log_group=$2 ;;
    --root) root=${2%/} ;;
    --aot) aot=yes; shift; continue ;;
    --start) start=yes; shift; continue ;;
    -h | --help) usage; exit 0 ;;
    *) fail 2 "unknown option '$1'; --help lists them" ;;
  esac
  shift 2
done

[ -n "$jdk" ] || fail 2 "missing option: --jdk package, folder:DIR or an archive"
case $sha in
  '') ;;
  *[!0-9a-f]*) fail 2 "--jdk-sha256 '$sha': expected 64 digits 0-9, a-f" ;;
esac
case $jdk in
  package | package:* | folder:*)
    [ -z "$sha" ] || fail 2 "--jdk-sha256 is for an archive, and --jdk is '$jdk'"
    ;;
  *)
    [ "${#sha}" -eq 64 ] || fail 2 "--jdk '$jdk': an archive needs --jdk-sha256 with 64 digits"
    ;;
esac
case $queue in
  *[!A-Za-z0-9_-]*) fail 2 "illegal queue '$queue': expected letters, digits, '-' or '_'" ;;
esac
case $bucket in
  *[!a-z0-9@.-]*) fail 2 "illegal --bucket '$bucket': expected lower-case letters, digits, '-' or '.'" ;;
esac
case $rmi_port in
  '') possible=yes ;;
  *[!0-9]* | ??????*) possible='' ;;
  # the worker's user may open no port below
  *) possible=$([ "$rmi_port" -lt 1024 ] || [ "$rmi_port" -gt 65535 ] || echo yes) ;;
esac
# the worker takes it once, so the last is the one
task_user=$(printf '%s\n' "$options" | sed -n 's/.*--task-user[ =]\{1,\}\([^ ]*\).*/\1/p')
case $task_user in
  *[!A-Za-z0-9_.-]* | -* | root | "$user") fail 2 "--task-user '$task_user': expected a user for tasks alone" ;;
esac
[ -n "$possible" ] || fail 2 "--rmi-port '$rmi_port': expected 1024 to 65535"
if [ -n "$start" ]; then
  [ -n "$queue" ] || fail 2 "--start needs --queue"
  [ -z "$root" ] || fail 2 "--start is for the running system, and --root is given"
fi
case $root in
  '' | /*) ;;
  *) fail 2 "--root '$root': expected an absolute path" ;;
esac
[ -z "$root" ] || [ -d "$root" ] || fail 2 "--root '$root': there is no such folder"
case $jdk in
  package*) [ -z "$root" ] || fail 2 "--root takes a JDK from a folder or an archive, as packages belong to a running system" ;;
esac
[ "$(id -u)" -eq 0 ] || fail 2 "this needs root"
[ -f "$here/cloudkon-worker.jar" ] || fail 2 "there is no $here/cloudkon-worker.jar; infra/image/archive.sh packs it"

home=$root/opt/cloudkon
mkdir -p "$home" "$root/etc/cloudkon" "$root/etc/systemd/system" || fail 3 "$home cannot be made"

# ---- the JDK

# Whether the Java in a folder is new enough, from its release file or by asking it.
new_enough() {
  [ -x "$1/bin/java" ] || return 1
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  [ -n "$version" ] ||
    version=$("$1/bin/java" -version 2>&1 | sed -n '1s/[^"]*"\([0-9]*\).*/\1/p')
  [ "${version:-0}" -ge "$needed" ]
}

packages() { # NAME…
  if command -v dnf >/dev/null; then
    try "dnf" dnf install -qy "$@"
  else
    try "apt-get" apt-get update -qq
    try "apt-get" env DEBIAN_FRONTEND=noninteractive apt-get install -qqy "$@"
  fi
}

from_package() {
  name=${jdk#package}
  name=${name#:}
  if [ -z "$name" ] && command -v dnf >/dev/null; then
    name=java-$needed-amazon-corretto-headless
  elif [ -z "$name" ]; then
    name=openjdk-$needed-jdk-headless
  fi
  packages "$name"
  for place in /usr/lib/jvm/*; do
    if new_enough "$place"; then
      found=$place
      return
    fi
  done
  fail 3 "package $name brought no Java $needed into /usr/lib/jvm"
}

fetch() { # ADDRESS FILE
  case $1 in
    https://*)
      command -v curl >/dev/null || packages curl
      try "the download" curl -fsSL --retry 5 --max-time 600 -o "$2" "$1"
      ;;
    s3://*)
      command -v aws >/dev/null || packages awscli
      try "the download" aws s3 cp --only-show-errors ${region:+--region "$region"} "$1" "$2"
      ;;
    *)
      [ -f "$1" ] || fail 2 "--jdk '$1': there is no such file"
      try "the copy" cp "$1" "$2"
      ;;
  esac
}

from_archive() {
  archive=$(mktemp) || fail 3 "no temporary file"
  fetch "$jdk" "$archive"
  actual=$(sha256sum "$archive" | cut -d ' ' -f 1)
  if [ "$actual" != "$sha" ]; then
    rm -f "$archive"
    fail 3 "--jdk '$jdk': its SHA-256 is $actual, expected $sha"
  fi
  rm -rf "$home/jdk-$needed"
  mkdir "$home/jdk-$needed"
  tar -xzf "$archive" -C "$home/jdk-$needed" --strip-components=1 --no-same-owner ||
    { rm -rf "$archive" "$home/jdk-$needed"; fail 3 "--jdk '$jdk' cannot be unpacked"; }
  rm -f "$archive"
  found=/opt/cloudkon/jdk-$needed
}

found=
if [ "$jdk" = package ] && [ -e "$home/jdk" ] && new_enough "$home/jdk"; then
  found=$(readlink "$home/jdk") # the image has one
else
  case $jdk in
    package | package:*) from_package ;;
    folder:*) found=${jdk#folder:} ;;
    *) from_archive ;;
  esac
fi
new_enough "$root$found" || fail 3 "--jdk '$jdk': there is no Java $needed or newer in $root$found"
try "the link to the JDK" ln -sfn "$found" "$home/jdk"

# ---- the user

if ! grep -q "^$user:" "$root/etc/passwd"; then
  try "making user $user" useradd ${root:+--prefix "$root"} --system --user-group --home-dir "/var/lib/$user" \
    --shell /usr/sbin/nologin "$user"
fi

# ---- the worker

# What installs it stays, for user data to configure an image with.
mkdir -p "$home/image"
# The JVM does not notice that its cache is of another jar, and would run that one's classes.
cmp -s "$here/cloudkon-worker.jar" "$home/image/cloudkon-worker.jar" || rm -f "$home/cloudkon-worker.aot"
for file in install.sh power-off.sh cloudkon-worker.service cloudkon-worker.jar; do
  # not into the file: a worker that runs has the jar open
  [ "$here" = "$home/image" ] ||
    { try "the copy" cp "$here/$file" "$home/image/$file.new" && try "the copy" mv "$home/image/$file.new" "$home/image/$file"; }
done
# the archive may have been unpacked under a umask of 077, which cp keeps
try "chmod" chmod 0755 "$home/image/install.sh" "$home/image/power-off.sh"
try "chmod" chmod 0644 "$home/image/cloudkon-worker.jar" "$home/image/cloudkon-worker.service"
ln -sfn image/cloudkon-worker.jar "$home/cloudkon-worker.jar"
try "the copy" cp "$home/image/cloudkon-worker.service" "$root/etc/systemd/system/cloudkon-worker.service"
[ -n "$root" ] || command -v curl >/dev/null || packages curl # for power-off.sh

# Only with --task-user: capabilities, which tasks do not get; a /proc that shows their processes to the worker, which
# ends them; and files that it may read, for --collect.
drop_in=$root/etc/systemd/system/cloudkon-worker.service.d/task-user.conf
if [ -n "$task_user" ]; then
  if ! grep -q "^$task_user:" "$root/etc/passwd"; then
    try "making user $task_user" useradd ${root:+--prefix "$root"} --system --user-group --no-create-home \
      --home-dir /nonexistent --shell /usr/sbin/nologin "$task_user"
  fi
  mkdir -p "${drop_in%/*}"
  cat >"$drop_in" <<'END'
[Service]
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_SETPCAP CAP_KILL CAP_CHOWN
AmbientCapabilities=CAP_SETUID CAP_SETGID CAP_SETPCAP CAP_KILL CAP_CHOWN
ProtectProc=default
UMask=0022
END
elif [ -n "$queue" ]; then
  rm -f "$drop_in"
fi

cache=$home/cloudkon-worker.aot
if [ -n "$aot" ]; then
  # Of this JDK and this jar; a JVM of another build goes without. As bin/cloudkon makes it: rehearsed without AWS, with
  # nobody's settings, and without training data, as C2 would never compile what C1 compiled in the recording.
  rehearsal=$(mktemp -d) || fail 3 "no temporary folder can be made"
  rm -f "$cache.new"
  alone() { # JVM OPTIONS AND ARGUMENTS
    timeout 300 env -i PATH="$PATH" HOME="$rehearsal" LC_ALL=C.UTF-8 AWS_EC2_METADATA_DISABLED=true \
      "$root$found/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -Xlog:disable \
      "-Duser.home=$rehearsal" "-Djava.io.tmpdir=$rehearsal" "$@"
  }
  (
    cd "$rehearsal" &&
      alone -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining -XX:AOTCacheOutput="$cache.new" \
        -cp "$home/cloudkon-worker.jar" io.cloudkon.core.rehearsal.Rehearsal --alone \
        io.cloudkon.worker.cli.WorkerMain -s rehearsal -t 2 --exit-when-idle 1s
    # with this mode the JVM refuses to start where it cannot take the cache
    alone -XX:AOTCache="$cache.new" -XX:AOTMode=on -jar "$home/cloudkon-worker.jar" --help && mv "$cache.new" "$cache"
  ) >/dev/null 2>&1
  rm -rf "$rehearsal" "$cache.new"
  [ -f "$cache" ] || say "no AOT cache was made; the worker starts without"
fi

if [ -n "$queue" ]; then
  # The worker takes each option once only, and --rmi-port not at all where it takes no part in HPC jobs.
  given=" $(printf '%s' "$options" | tr '[:upper:]' '[:lower:]' | tr -s ' =' ' ') "
  case $given in
    *' --bucket '*) ;;
    *) [ -z "$bucket" ] || options="--bucket $bucket${options:+ $options}" ;;
  esac
  case $given in
    *' --rmi-port '* | *' --roles mtc '*) ;;
    *) [ -z "$rmi_port" ] || options="--rmi-port $rmi_port${options:+ $options}" ;;
  esac
  {
    printf 'CLOUDKON_QUEUE=%s\n' "$queue"
    [ -z "$region" ] || printf 'AWS_REGION=%s\n' "$region"
    printf 'CLOUDKON_OPTIONS=%s\n' "$options"
    if [ -f "$cache" ]; then
      printf 'CLOUDKON_JVM_OPTIONS=-XX:AOTCache=/opt/cloudkon/cloudkon-worker.aot\n'
    else
      printf 'CLOUDKON_JVM_OPTIONS=\n'
    fi
  } >"$root/etc/cloudkon/worker.env.new"
  # systemd reads it as root; tasks must not, as credentials may be added to it
  chmod 0600 "$root/etc/cloudkon/worker.env.new"
  mv "$root/etc/cloudkon/worker.env.new" "$root/etc/cloudkon/worker.env"
fi

# ---- its log: the journal, and CloudWatch Logs by Amazon's agent, which reads files

agent=$root/opt/aws/amazon-cloudwatch-agent
if [ -n "$log_group" ]; then
  if [ ! -d "$agent" ] && [ -z "$root" ] && command -v dnf >/dev/null; then
    packages amazon-cloudwatch-agent
  fi
  if [ -d "$agent" ]; then
    # systemd opens the files before it would make a LogsDirectory; this one is root's, so no task can replace the file
    mkdir -p "$root/etc/systemd/system/cloudkon-worker.service.d" "$agent/etc" "$root/etc/logrotate.d" \
      "$root/var/log/cloudkon"
    # on the way down the agent ends after the worker, whose last lines tell why
    cat >"$root/etc/systemd/system/cloudkon-worker.service.d/log.conf" <<'END'
[Unit]
After=amazon-cloudwatch-agent.service
[Service]
StandardOutput=append:/var/log/cloudkon/worker.log
StandardError=append:/var/log/cloudkon/worker.log
END
    cat >"$root/etc/logrotate.d/cloudkon" <<'END'
/var/log/cloudkon/worker.log {
  size 50M
  rotate 2
  copytruncate
  missingok
}
END
    cat >"$agent/etc/cloudkon.json" <<END
{
  "logs": {
    "logs_collected": {
      "files": {
        "collect_list": [
          {
            "file_path": "/var/log/cloudkon/worker.log",
            "log_group_name": "$log_group",
            "log_stream_name": "{instance_id}"
          }
        ]
      }
    }
  }
}
END
    if [ -z "$root" ]; then
      try "the log agent" "$agent/bin/amazon-cloudwatch-agent-ctl" -a fetch-config -m ec2 -s \
        -c "file:$agent/etc/cloudkon.json" >/dev/null
    fi
  else
    mkdir -p "$root/etc/systemd/system/cloudkon-worker.service.d"
    printf '[Service]\nStandardOutput=journal+console\nStandardError=journal+console\n' \
      >"$root/etc/systemd/system/cloudkon-worker.service.d/log.conf"
    say "amazon-cloudwatch-agent is not there and no package of this system: the log goes to the journal and the console"
  fi
fi

if [ -n "$start" ]; then
  try "systemd" systemctl daemon-reload
  try "systemd" systemctl enable --quiet --now cloudkon-worker.service
fi
say "the worker is installed${root:+ in $root}${queue:+, for cluster $queue}"
