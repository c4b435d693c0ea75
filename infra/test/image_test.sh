#!/usr/bin/env bash
# infra/image in a scratch root: Debian from nothing, install.sh into it, the unit against systemd's own checks there;
# and then booted, by boot_test.sh.
# Usage: infra/test/image_test.sh, as root, on Debian, after the jars are built. Heeds JAVA_HOME (a JDK 25).
#        infra/test/image_test.sh --base   only makes the Debian, which is kept for the next time
set -euo pipefail
unset CDPATH # cd would go elsewhere, and print where
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

base=target/image-base root=$PWD/target/image-root
state=$(mktemp -d)

fail() {
  echo "image_test: $*" >&2
  exit 1
}

clean_up() {
  local status=$?
  rm -rf "$state" "$root"
  exit "$status"
}
trap clean_up EXIT

# ---- what it takes

for tool in debootstrap systemd-analyze; do
  command -v "$tool" >/dev/null || { apt-get update -qq && apt-get install -qqy debootstrap systemd; } >"$state/apt.log" 2>&1 ||
    { tail -n 5 "$state/apt.log"; fail "$tool is not installed and could not be"; }
done
if [ ! -f "$base/complete" ]; then
  # of this machine's release, from where it has its own packages
  codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  # shellcheck disable=SC2016  # apt's own variable
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $codename" | head -n 1)
  rm -rf "$base"
  mkdir -p "${base%/*}"
  debootstrap --variant=minbase --include=systemd,ca-certificates,curl "$codename" "$base" "$mirror" \
    >"$state/debootstrap.log" 2>&1 ||
    { tail -n 5 "$state/debootstrap.log"; fail "no Debian in $base"; }
  touch "$base/complete"
fi
[ "${1:-}" != --base ] || exit 0
jdk=${JAVA_HOME:-}
for place in "$jdk" /usr/lib/jvm/*; do
  if grep -qs '^JAVA_VERSION="25' "$place/release"; then
    jdk=$place
    break
  fi
done
grep -qs '^JAVA_VERSION="25' "$jdk/release" || fail "no JDK 25 in JAVA_HOME or /usr/lib/jvm"
rm -rf "$root"
cp -a "$base" "$root"

# ---- bad input: one line each, and nothing made

packed=$state/cloudkon-worker.tar.gz
sha=$(infra/image/archive.sh "$packed")
[ "$sha" = "$(infra/image/archive.sh "$state/again.tar.gz")" ] || fail "two archives of the same content differ"
tar -xzf "$packed" -C "$state"
install=$state/cloudkon/install.sh

refused() { # EXPECTED ARGUMENTS…
  local expected=$1 status=0 said
  shift
  said=$("$install" --root "$root" "$@" 2>&1) || status=$?
  [ "$status" -eq 2 ] || fail "install.sh $*: exit code $status, expected 2: $said"
  [[ $said == *"$expected"* && $said != *$'\n'* ]] || fail "install.sh $*: '$said', expected one line with '$expected'"
  [ ! -e "$root/opt/cloudkon" ] || fail "install.sh $*: was refused and left something behind"
}
refused 'missing option: --jdk' --queue Q
refused 'needs --jdk-sha256' --jdk "$state/jdk.tar.gz"
refused 'expected 64 digits' --jdk "$state/jdk.tar.gz" --jdk-sha256 xyz
refused 'is for an archive' --jdk package --jdk-sha256 "$sha"
refused 'packages belong to a running system' --jdk package
refused "illegal queue 'a b'" --jdk folder:/opt/jdk --queue 'a b'
refused "unknown option '--quiet'" --jdk folder:/opt/jdk --quiet
refused '--start needs --queue' --jdk folder:/opt/jdk --start
refused "--rmi-port '80': expected 1024 to 65535" --jdk folder:/opt/jdk --rmi-port 80
refused "illegal --bucket 'a b'" --jdk folder:/opt/jdk --bucket 'a b'
refused "--rmi-port 'any': expected 1024 to 65535" --jdk folder:/opt/jdk --rmi-port any

# ---- the installation

tar -C "${jdk%/*}" --exclude='*/src.zip' --exclude='*/jmods' -cf - "${jdk##*/}" | gzip -1 >"$state/jdk.tar.gz"
jdk_sha=$(sha256sum "$state/jdk.tar.gz" | cut -d ' ' -f 1)
! "$install" --root "$root" --jdk "$state/jdk.tar.gz" --jdk-sha256 "$sha" 2>"$state/wrong" || fail "a wrong JDK was taken"
grep -q "its SHA-256 is $jdk_sha, expected $sha" "$state/wrong" || fail "$(cat "$state/wrong")"
[ ! -e "$root/opt/cloudkon/jdk" ] || fail "a wrong JDK was installed"
mkdir -p "$root/opt/aws/amazon-cloudwatch-agent" # as if its package were there
# as on a hardened system, where also the user who unpacked the archive had this umask
chmod -R go= "$state/cloudkon"
(umask 077 && "$install" --root "$root" --jdk "$state/jdk.tar.gz" --jdk-sha256 "$jdk_sha" --aot)
closed=$(find "$root/opt/cloudkon" ! -type l \( ! -perm -o=r -o -type d ! -perm -o=x \) | head -n 1)
[ -z "$closed" ] || fail "install.sh under umask 077 left $closed closed to the worker's user"
rm "$state/jdk.tar.gz"
# user data on an image: the JDK is there, what differs by cluster is added
"$root/opt/cloudkon/image/install.sh" --root "$root" --jdk folder:/opt/cloudkon/jdk-25 --queue image \
  --options '-t 2 --exit-when-idle 1h' --log-group /cloudkon/image/workers
grep -q '"log_group_name": "/cloudkon/image/workers"' "$root/opt/aws/amazon-cloudwatch-agent/etc/cloudkon.json"
[ -f "$root/opt/cloudkon/cloudkon-worker.aot" ] || fail "--aot made no cache"
# what C1 compiled in the recording stays free for C2, and the rehearsal has called AWS
in_cache() { # JVM_OPTIONS…
  "$root/opt/cloudkon/jdk-25/bin/java" "-XX:AOTCache=$root/opt/cloudkon/cloudkon-worker.aot" -XX:+UnlockDiagnosticVMOptions \
    "$@" -cp "$root/opt/cloudkon/cloudkon-worker.jar" -version 2>&1
}
in_cache -XX:+AOTPrintTrainingInfo >"$state/training"
grep -q 'TrainingData Dictionary' "$state/training" || fail "the cache was not taken: $(head -n 3 "$state/training")"
! grep -Eq '#[0-9]+L1' "$state/training" || fail "the cache pins code to C1"
# another jar over an image's: its cache goes
cp -a "$state/cloudkon" "$state/newer"
printf x >>"$state/newer/cloudkon-worker.jar"
cp -a "$root/opt/cloudkon" "$state/as-installed"
"$state/newer/install.sh" --root "$root" --jdk folder:/opt/cloudkon/jdk-25 --queue image >/dev/null 2>&1
[ ! -e "$root/opt/cloudkon/cloudkon-worker.aot" ] || fail "the cache of another jar was kept"
rm -rf "$root/opt/cloudkon" && mv "$state/as-installed" "$root/opt/cloudkon"

# ---- the port of the stack, beside the options of the user: the worker itself refuses a second one, and any without HPC

worker_options() { # --rmi-port PORT --options OPTIONS
  "$root/opt/cloudkon/image/install.sh" --root "$root" --jdk folder:/opt/cloudkon/jdk-25 --queue image "$@" 2>/dev/null
  sed -n 's/^CLOUDKON_OPTIONS=//p' "$root/etc/cloudkon/worker.env"
}
cp -a "$root/etc/cloudkon/worker.env" "$state/worker.env"
while IFS='|' read -r given expected; do
  made=$(worker_options --rmi-port 7099 --options "$given")
  [ "$made" = "$expected" ] || fail "--rmi-port 7099 --options '$given': made '$made', expected '$expected'"
  # without a region a worker ends by naming that, once its options have passed
  # shellcheck disable=SC2086  # words, as systemd splits them
  said=$(env -u AWS_REGION -u AWS_DEFAULT_REGION AWS_CONFIG_FILE=none AWS_EC2_METADATA_DISABLED=true \
    "$jdk/bin/java" -jar cloudkon-worker/target/cloudkon-worker.jar -s image $made </dev/null 2>&1) || true
  [[ $said == *region* ]] || fail "the worker refuses '$made': $said"
done <<'END'
|--rmi-port 7099
-t 2 --roles hpc|--rmi-port 7099 -t 2 --roles hpc
--roles mtc,hpc|--rmi-port 7099 --roles mtc,hpc
--roles mtc -t 2|--roles mtc -t 2
-t 2 --roles=MTC|-t 2 --roles=MTC
--rmi-port 7100|--rmi-port 7100
--rmi-port=7100 -t 2|--rmi-port=7100 -t 2
END
for given in '' '-t 2' '--bucket=other'; do
  case $given in
    *bucket*) expected=$given ;;
    *) expected="--bucket mine${given:+ $given}" ;;
  esac
  made=$(worker_options --bucket mine --options "$given")
  [ "$made" = "$expected" ] || fail "--bucket mine --options '$given': made '$made', expected '$expected'"
done
mv "$state/worker.env" "$root/etc/cloudkon/worker.env"

# ---- the unit

# systemd opens them before it makes any folder
while read -r file; do
  [ -d "$root${file%/*}" ] || fail "the unit writes to $file, and there is no ${file%/*}"
done < <(sed -n 's/^Standard\(Output\|Error\)=append://p' "$root"/etc/systemd/system/cloudkon-worker.service{,.d/*})
systemd-analyze verify --root "$root" --man=no cloudkon-worker.service 2>"$state/verify" || fail "$(cat "$state/verify")"
[ ! -s "$state/verify" ] || fail "$(cat "$state/verify")"
systemd-analyze security --offline=true --threshold=40 --root "$root" --no-pager cloudkon-worker.service >"$state/security" ||
  fail "$(grep -v '✓' "$state/security")"
tail -n 1 "$state/security"

# ---- powering off: after any end that nobody ordered, only where a provisioner launched the instance

power_off() { # EXIT_STATUS METADATA
  # curl and systemctl of the test's own before the machine's
  mkdir -p "$state/bin"
  printf '#!/bin/sh\ncase $* in *api/token*) echo token ;; *) %s ;; esac\n' "$2" >"$state/bin/curl"
  printf '#!/bin/sh\necho "systemctl $*"\n' >"$state/bin/systemctl"
  chmod +x "$state/bin/curl" "$state/bin/systemctl"
  EXIT_STATUS=$1 CLOUDKON_POWER_OFF_DELAY=0 PATH="$state/bin:$PATH" infra/image/power-off.sh | tail -n 1
}
# an error within, bad options, no cluster, a sick worker, one that ended itself, no Java at all
for code in 1 2 3 10 11 203; do
  [ "$(power_off "$code" 'echo L1')" = 'systemctl --no-block poweroff' ] || fail "no power-off after $code"
  [ -z "$(power_off "$code" 'exit 22')" ] || fail "powered off after $code without a launch"
done
[ "$(SERVICE_RESULT=exit-code power_off '' 'echo L1')" = 'systemctl --no-block poweroff' ] || fail "no power-off before a start"
[ -z "$(SERVICE_RESULT=success power_off '' 'echo L1')" ] || fail "powered off after a stop before a start"
# a worker with a task that cannot be stopped, systemctl stop, a signal: another one may be started
for code in 0 143 TERM KILL; do
  [ -z "$(power_off "$code" 'echo L1')" ] || fail "powered off after $code"
done

# ---- booted

infra/test/boot_test.sh "$root"
