package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.bundle.BundleSettings;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.bundle.RetrySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;

/**
 * One worker's settings.
 *
 * @param id its unique id, which is the owner in its claims
 * @param slots the number of tasks that run at a time; default the number of cores
 * @param tasks whether it takes tasks, and not only ranks of HPC jobs; default true
 * @param only whether there can be no other worker, so that failed tasks are tried again here and
 *     waiting ones are kept; default false
 * @param tickMillis the usual interval of ticks in milliseconds; default 50
 */
public record WorkerSettings(
    String id,
    int slots,
    LeaseSettings lease,
    ReplySettings reply,
    IntakeSettings intake,
    AttemptSettings attempts,
    boolean tasks,
    boolean only,
    long tickMillis) {
  /** The default interval of ticks, in milliseconds. */
  public static final long TICK_MILLIS = 50;

  public WorkerSettings {
    if (slots < 1) {
      throw new IllegalArgumentException("a worker needs at least 1 slot, not " + slots);
    }
  }

  /** The settings of a worker that ticks as usual. */
  public WorkerSettings(
      String id,
      int slots,
      LeaseSettings lease,
      ReplySettings reply,
      IntakeSettings intake,
      AttemptSettings attempts,
      boolean tasks,
      boolean only) {
    this(id, slots, lease, reply, intake, attempts, tasks, only, TICK_MILLIS);
  }

  /** The settings of a worker that takes tasks. */
  public WorkerSettings(
      String id,
      int slots,
      LeaseSettings lease,
      ReplySettings reply,
      IntakeSettings intake,
      AttemptSettings attempts) {
    this(id, slots, lease, reply, intake, attempts, true, false);
  }

  /** The settings with the default attempts. */
  public WorkerSettings(
      String id, int slots, LeaseSettings lease, ReplySettings reply, IntakeSettings intake) {
    this(id, slots, lease, reply, intake, AttemptSettings.DEFAULT);
  }

  /** The same settings for a worker that is the only one. */
  public WorkerSettings asOnly() {
    return new WorkerSettings(id, slots, lease, reply, intake, attempts, tasks, true, tickMillis);
  }

  /** The same settings for a worker whose driver ticks at another interval. */
  public WorkerSettings withTick(long millis) {
    return new WorkerSettings(id, slots, lease, reply, intake, attempts, tasks, only, millis);
  }

  /** The settings that its bundles share. */
  public BundleSettings bundles() {
    return new BundleSettings(lease, reply, attempts, RetrySettings.DEFAULT);
  }
}
