package io.cloudkon.simulator.chaos;

import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The parameters of a chaos run.
 *
 * @param client the settings that clients share
 * @param worker the settings that workers share, except for their slots
 * @param awayMicros how long no worker exists once the faults are over; 0 for not at all
 * @param nowhere whether results may be undeliverable for a while
 * @param untilMicros the time after which no process dies, leaves or is stopped any more
 * @param limitMicros the time by which everything must be over
 */
record ChaosPlan(
    ClientSetup client,
    WorkerSetup worker,
    long awayMicros,
    boolean nowhere,
    long untilMicros,
    long limitMicros) {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 24 * 60 * MINUTE;

  private static final long RESTART = 2 * SECOND;

  /** How long workers hide undeliverable messages. */
  private static final long HIDDEN = 10 * MINUTE;

  /** The number of successive calls to allow for, in addition to one for each task. */
  private static final long CALLS = 200;

  /** The maximum drift of a monotonic clock: 200 ppm. */
  private static final double DRIFT = 0.0002;

  /** One chaos in this number has no workers until messages expire. */
  private static final int RARELY = 40;

  /** Of these, one in this number uses the real retention times. */
  private static final int FULL = 10;

  static ChaosPlan of(SplittableRandom random, FaultSchedule weather, List<ChaosTasks> runs) {
    boolean nowhere = random.nextInt(12) == 0;
    boolean deserted = random.nextInt(RARELY) == 0;
    boolean full = deserted && random.nextInt(FULL) == 0;
    long resend = full || !deserted ? CompletenessSettings.DEFAULT.resend() : 26 * 60_000;
    long silence = random.nextInt(3) == 0 ? CompletenessSettings.DEFAULT.silence() : 30_000;
    long away = deserted ? resend * 1000 + (full ? 2 * DAY : 10 * MINUTE) : 0;
    BundlerSettings bundler =
        random.nextBoolean()
            ? BundlerSettings.DEFAULT
            : new BundlerSettings(
                1 + random.nextInt(10),
                BundlerSettings.DEFAULT.targetMillis(),
                BundlerSettings.DEFAULT.maxBytes(),
                true);
    CompletenessSettings completeness =
        new CompletenessSettings(
            CompletenessSettings.DEFAULT.grace(),
            CompletenessSettings.DEFAULT.former(),
            silence,
            resend,
            CompletenessSettings.DEFAULT.margin(),
            random.nextInt(4) == 0);
    ClientSetup client =
        ClientSetup.DEFAULT.withThreads(1 + random.nextInt(3)).with(bundler).with(completeness);
    long until = weather.calmMicros() + away;
    return new ChaosPlan(
        client,
        WorkerSetup.of(2),
        away,
        nowhere,
        until,
        until + patience(weather, runs, client, nowhere, until));
  }

  /**
   * The time that may pass until everything is over once no more faults happen: the work in one
   * slot, each timeout of the protocol that may have to expire, and the calls.
   */
  private static long patience(
      FaultSchedule weather,
      List<ChaosTasks> runs,
      ClientSetup client,
      boolean nowhere,
      long until) {
    long work = 0;
    long tasks = 0;
    for (ChaosTasks run : runs) {
      work += run.workMicros();
      tasks += run.size();
    }
    LeaseSettings lease = client.lease();
    // An attempt that kills its worker: its lease, its message's visibility, another worker.
    long attempt = (2 * lease.lease() + lease.margin()) * 1000 + RESTART;
    long attempts = (AttemptSettings.DEFAULT.max() + 1) * attempt;
    // A client that resumes waits for a lease; grace starts anew; a queue may be created anew.
    long grace = client.completeness().grace() + client.completeness().former();
    long resumed = (lease.lease() + lease.margin() + grace) * 1000 + MINUTE;
    // A bundle's claim is checked at intervals that double.
    long looked = 2 * (until + client.completeness().silence() * 1000);
    long hidden = nowhere ? HIDDEN : 0;
    long open = client.completeness().openEnded() ? ClientSetup.STAYS_OPEN : 0;
    long calls = (long) (weather.slowMillis() * 1000 * (CALLS + tasks));
    return work + attempts + resumed + looked + hidden + open + calls;
  }

  /** How much longer queues keep a message than clients wait before they send it again. */
  long slackMillis() {
    return client.completeness().resend() / 13;
  }

  boolean deserted() {
    return awayMicros > 0;
  }

  /** Clocks with random errors within the allowed limits. */
  SimProcess.Clocks clocks(SplittableRandom random) {
    long half = worker.lease().margin() / 2;
    return new SimProcess.Clocks(
        random.nextLong(-half, half + 1), (random.nextDouble() * 2 - 1) * DRIFT);
  }
}
