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
 * The parameters of a whole chaos run.
 *
 * @param client what clients have in common
 * @param worker what workers have in common, but for their slots
 * @param awayMicros for how long nobody is there, when it is calm; 0 for not at all
 * @param nowhere whether results can go nowhere for a while
 * @param untilMicros from when on nobody dies, leaves or is stopped any more
 * @param limitMicros by when all must be over
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

  /** For so long workers hide what cannot be delivered. */
  private static final long HIDDEN = 10 * MINUTE;

  /** So many calls one after the other, besides one for each task. */
  private static final long CALLS = 200;

  /** How far a monotonic clock may drift: 200 ppm. */
  private static final double DRIFT = 0.0002;

  /** One chaos in so many has nobody there until messages expire. */
  private static final int RARELY = 40;

  /** And of these one in so many lasts as long as it does in the world. */
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
    ClientSetup client =
        ClientSetup.DEFAULT
            .withThreads(1 + random.nextInt(3))
            .with(bundler)
            .with(
                new CompletenessSettings(
                    CompletenessSettings.DEFAULT.grace(),
                    CompletenessSettings.DEFAULT.former(),
                    silence,
                    resend,
                    CompletenessSettings.DEFAULT.margin()));
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
   * How long it may take, once nothing goes wrong any more, until everything is over: the work by
   * one slot, whatever has to be run out or waited for once by the protocol's own times, and the
   * calls.
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
    // A client that resumes waits for a lease; grace begins anew; a queue may be made anew.
    long grace = client.completeness().grace() + client.completeness().former();
    long resumed = (lease.lease() + lease.margin() + grace) * 1000 + MINUTE;
    // Looks at a bundle's claim come at doubled distances.
    long looked = 2 * (until + client.completeness().silence() * 1000);
    long hidden = nowhere ? HIDDEN : 0;
    long calls = (long) (weather.slowMillis() * 1000 * (CALLS + tasks));
    return work + attempts + resumed + looked + hidden + calls;
  }

  /** By how much longer queues keep a message than clients wait before they send it again. */
  long slackMillis() {
    return client.completeness().resend() / 13;
  }

  boolean deserted() {
    return awayMicros > 0;
  }

  /** Clocks as far apart as they may be. */
  SimProcess.Clocks clocks(SplittableRandom random) {
    long half = worker.lease().margin() / 2;
    return new SimProcess.Clocks(
        random.nextLong(-half, half + 1), (random.nextDouble() * 2 - 1) * DRIFT);
  }
}
