package io.cloudkon.simulator.fleet;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Turns a verdict on a job into its result, and checks that the verdict is right. */
final class SimSettling {
  /**
   * The time after which the ledger certainly knows the present workers, in spite of any faults.
   */
  private static final long KNOWN_AFTER = 60_000_000;

  private static final Positions THE_JOB = Positions.range(0, 1);

  private final World world;
  private final SimProcess process;
  private final BiConsumer<SimBundle, BundleEvent> events;
  private final Map<Long, Long> started = new HashMap<>();

  SimSettling(World world, SimProcess process, BiConsumer<SimBundle, BundleEvent> events) {
    this.world = world;
    this.process = process;
    this.events = events;
  }

  /** Records that the job's ranks start now. */
  void started(SimBundle hand) {
    started.put(hand.key, world.timeline().now());
  }

  /**
   * Turns a verdict into a result.
   *
   * @param attempt the attempt of the job's claim
   */
  void settle(SimBundle hand, int attempt, Verdict verdict) {
    long now = world.timeline().now();
    boolean failed =
        switch (verdict) {
          case Verdict.TooLarge large -> {
            tooLarge(hand);
            hand.failed(0, now);
            yield true;
          }
          case Verdict.Succeeded ok -> {
            world.witness().ranks().succeeded(hand.request, attempt, ranks(hand));
            yield ended(hand, now, false);
          }
          case Verdict.RankFailed one -> ended(hand, now, true);
          case Verdict.LaunchFailed one ->
              throw new Violation("nothing is launched beside ranks of %s", hand);
        };
    process.in(
        1_000,
        () ->
            events.accept(
                hand,
                new BundleEvent.Finished(
                    THE_JOB,
                    hand.request.run().tasks().resultBytes(hand.task(0).ordinal()),
                    failed ? THE_JOB : Positions.none())));
  }

  private boolean ended(SimBundle hand, long now, boolean failed) {
    boolean fails = hand.failsNext(0);
    long from = started.getOrDefault(hand.key, now);
    if (fails != failed) {
      throw new Violation(
          "job %s is said to have %s", hand, failed ? TaskStatus.FAILED : TaskStatus.SUCCEEDED);
    }
    return hand.finished(0, from, now);
  }

  private static int ranks(SimBundle hand) {
    return hand.task(0).work() instanceof Work.Hpc job ? job.ranks() : 1;
  }

  private void tooLarge(SimBundle hand) {
    int ranks = ranks(hand);
    int there = world.hpc().roster().slotsSince(world.timeline().now() - KNOWN_AFTER);
    if (there >= ranks) {
      throw new Violation(
          "%s with %d ranks is said to be too large, and there are %d slots", hand, ranks, there);
    }
    SimScaling scaling = world.cloud().scalingIfAny();
    long now = world.serviceMillis();
    if (scaling != null && scaling.mayLaunch(ranks, now - KNOWN_AFTER / 1000, now)) {
      throw new Violation(
          "%s with %d ranks is said to be too large, and the provisioner may launch so many",
          hand, ranks);
    }
    world.trace().say(process.name(), "says that %s is too large", hand);
    world.witness().tooLarge(hand.request);
  }
}
