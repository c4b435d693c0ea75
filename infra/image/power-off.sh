#!/bin/sh
# Powers off after a worker that failed or ended itself, if a provisioner launched this instance. Its launch template
# makes a shutdown its end. The worker has asked EC2 for the same by itself, unless it did not come that far: this is
# also for options that cannot be read, for a JVM that does not start, and for a call that was refused.
# systemd calls it as ExecStopPost, with EXIT_STATUS. What it heeds besides: AWS_EC2_METADATA_SERVICE_ENDPOINT, and
# CLOUDKON_POWER_OFF_DELAY, in seconds.
set -u

case ${EXIT_STATUS:-} in
  # it never started: what was to run before it has failed, or somebody stopped it
  '') [ "${SERVICE_RESULT:-success}" != success ] || exit 0 ;;
  # it drained, or was told to end by somebody or by a signal, which has a name instead of a number
  0 | 143 | *[!0-9]*) exit 0 ;;
esac

# after these no other worker starts, so nobody looks again
case ${EXIT_STATUS:-} in
  2 | 11) retries=6 ;;
  *) retries=2 ;;
esac

service=${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}

ask() {
  curl --silent --fail --max-time 2 --retry "$retries" "$@"
}

token=$(ask -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$service/latest/api/token") || exit 0
launch=$(ask -H "X-aws-ec2-metadata-token: $token" "$service/latest/meta-data/tags/instance/cloudkon:launch") || exit 0
[ -n "$launch" ] || exit 0
echo "the worker ended with exit code ${EXIT_STATUS:-none}: powering off, launch $launch"
# the agent that ships the log reads it every few seconds
sleep "${CLOUDKON_POWER_OFF_DELAY:-10}"
exec systemctl --no-block poweroff
