package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.time.Moment;

/**
 * Delays launches after the launcher refused some: shortly if capacity or calls were limited, and
 * for minutes if a person must act first, provided that this applies to every pool. A pool that
 * refuses delays nothing while there are others. Not thread safe.
 */
final class LaunchRefusals {
  private static final long SHORT_MILLIS = 5_000;
  private static final long SHORT_LIMIT_MILLIS = 60_000;
  private static final long QUOTA_MILLIS = 60_000;
  private static final long LIMIT_MILLIS = 600_000;

  /** After what time of refusals that a person must end no launch is expected any more. */
  private static final long LASTING_MILLIS = 900_000;

  /**
   * For how long a refusal that a person must end says that it has not: the longest delay between
   * two tries, and those of tries between them that found no capacity.
   */
  private static final long PERMANENT_MILLIS = LIMIT_MILLIS + 2 * SHORT_LIMIT_MILLIS;

  /** The same if capacity alone was short, which often comes back by itself. */
  private static final long SHORTAGE_MILLIS = 3_600_000;

  /** For how long the last refusal says something: while there is demand, a try comes sooner. */
  private static final long VALID_MILLIS = 2 * LIMIT_MILLIS;

  private final LaunchBackOff shortage = new LaunchBackOff(SHORT_MILLIS, SHORT_LIMIT_MILLIS);
  private final LaunchBackOff quota = new LaunchBackOff(QUOTA_MILLIS, LIMIT_MILLIS);
  private final LaunchBackOff configuration = new LaunchBackOff(LIMIT_MILLIS, LIMIT_MILLIS);
  private String last = "";

  /**
   * The times of the first and the last refusal of any kind, and of the first and the last by a
   * quota or the configuration, since a launch worked or a job began to lack slots; milliseconds of
   * the monotonic clock. Throttling refuses nothing.
   */
  private long since = Long.MIN_VALUE;

  private long lastAt = Long.MIN_VALUE;
  private long permanentSince = Long.MIN_VALUE;
  private long permanentAt = Long.MIN_VALUE;

  /** The slots of the live workers, and whether a job lacked some, at the last reading. */
  private int lastSlots;

  private boolean lacking;

  /**
   * Handles a reading. A job that begins to lack slots is owed tries of its own, as a person may
   * have acted since; so is one that lacks more, because a launch that replaces a lost worker may
   * work where no other does. Both are tried at once, and refusals before that do not count.
   *
   * @param slots the slots of the live workers that take jobs
   * @param lacks whether a job waits that has more ranks than that, and that launches could serve
   */
  void look(int slots, boolean lacks) {
    if (lacks && (!lacking || slots < lastSlots)) {
      forget();
      quota.reset();
      configuration.reset();
    }
    lacking = lacks;
    lastSlots = slots;
  }

  /** Handles the answer to a launch; an answer without a failure ends every delay. */
  void answered(Launch answer, Moment now) {
    if (answer.failures().isEmpty() || !answer.instances().isEmpty()) {
      reset();
    }
    // The delay for errors that a person must fix is not shortened by retries for temporary ones.
    boolean passing =
        answer.failures().stream()
            .anyMatch(failure -> failure.kind() != Failure.Kind.CONFIGURATION);
    answer.failures().stream()
        .filter(failure -> !answer.elsewhere() || failure.kind() == Failure.Kind.THROTTLE)
        .filter(failure -> !passing || failure.kind() != Failure.Kind.CONFIGURATION)
        .max((a, b) -> a.kind().compareTo(b.kind()))
        .ifPresent(worst -> {
          last = worst.message().isEmpty() ? worst.code() : worst.code() + ": " + worst.message();
          backOff(worst.kind()).failed(now);
          refused(worst.kind(), now);
        });
  }

  private void refused(Failure.Kind kind, Moment now) {
    if (kind == Failure.Kind.THROTTLE) {
      return;
    }
    if (since != Long.MIN_VALUE && isOld(now)) {
      forget();
    }
    since = since == Long.MIN_VALUE ? now.mono() : since;
    // Spot and on demand have different quotas, so a lack of capacity does not end that of a quota.
    if (kind != Failure.Kind.CAPACITY) {
      permanentSince = isPermanent(now) ? permanentSince : now.mono();
      permanentAt = now.mono();
    }
    lastAt = now.mono();
  }

  /** Whether a quota or the configuration has refused so recently that it probably still does. */
  private boolean isPermanent(Moment now) {
    return permanentSince != Long.MIN_VALUE && now.mono() - permanentAt < PERMANENT_MILLIS;
  }

  private void forget() {
    since = Long.MIN_VALUE;
    permanentSince = Long.MIN_VALUE;
  }

  private boolean isOld(Moment now) {
    return now.mono() - lastAt >= VALID_MILLIS;
  }

  /**
   * Whether a job lacks slots, and every pool has refused launches for it: for 15 minutes since the
   * first refusal by a quota or the configuration, of which the last is recent, or for an hour if
   * capacity was short.
   */
  boolean lasting(Moment now) {
    return lacking
        && since != Long.MIN_VALUE
        && !isOld(now)
        && ((isPermanent(now) && now.mono() - permanentSince >= LASTING_MILLIS)
            || now.mono() - since >= SHORTAGE_MILLIS);
  }

  private void reset() {
    forget();
    shortage.reset();
    quota.reset();
    configuration.reset();
  }

  private LaunchBackOff backOff(Failure.Kind kind) {
    return switch (kind) {
      case CAPACITY, THROTTLE -> shortage;
      case QUOTA -> quota;
      case CONFIGURATION -> configuration;
    };
  }

  long remaining(Moment now) {
    return Math.max(
        shortage.remaining(now), Math.max(quota.remaining(now), configuration.remaining(now)));
  }

  /** The launcher's last message, in one line. */
  String last() {
    return last;
  }
}
