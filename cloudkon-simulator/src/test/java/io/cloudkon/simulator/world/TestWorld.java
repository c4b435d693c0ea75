package io.cloudkon.simulator.world;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.check.Witness;
import io.cloudkon.simulator.cloud.ClaimLaw;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import io.cloudkon.simulator.cloud.SimCloud;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.engine.Trace;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.load.Tasks;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A world for the parts of a client or worker, whose calls take 2 ms, there and back. */
public final class TestWorld {
  public static final long MILLI = 1_000;
  public static final long SECOND = 1_000_000;

  private final World world;

  /** A world where this goes wrong. */
  public TestWorld(FaultSettings faults) {
    Timeline timeline = new Timeline();
    Witness witness = new Witness(false);
    CloudSettings settings =
        CloudSettings.calm(Latencies.all(Latency.always(2))).with(faults).withDisorder(1);
    world =
        new World(
            timeline,
            new Trace(timeline, null),
            new SplittableRandom(1),
            new SimCloud(timeline, new SplittableRandom(2), settings, ClaimLaw.RULES, witness),
            witness,
            BugHook.NONE);
  }

  public World world() {
    return world;
  }

  /** Virtual time, in microseconds. */
  public long now() {
    return world.timeline().now();
  }

  /** A process with right clocks that lives on. */
  public SimProcess process(String name) {
    return world.process(name, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
  }

  /** Lets so much time pass, and what falls into it happen. */
  public void pass(long micros) {
    boolean[] there = new boolean[1];
    world.timeline().in(micros, () -> there[0] = true);
    while (!there[0]) {
      world.timeline().step();
    }
  }

  /** Lets happen what is due now, and what follows from it without taking time. */
  public void settle() {
    for (int i = 0; i < 5; i++) {
      pass(0);
    }
  }

  /** A run that began, and a bundle with all of its tasks that is about to be sent. */
  public Request request(Tasks tasks) {
    SimRun run = new SimRun(0, "r0", Consistency.AT_LEAST_ONCE, tasks);
    BundleHeader header =
        new BundleHeader(
            run.id(),
            SimRun.EPOCH,
            BundleIds.of(run.id(), SimRun.EPOCH, 0),
            "Q-response",
            run.consistency(),
            0,
            0,
            0,
            0);
    Request request =
        Request.of(
            run,
            new Bundle(header, IntStream.range(0, tasks.size()).mapToObj(tasks::task).toList()));
    world.witness().begins(run);
    world.witness().sending(request);
    return request;
  }
}
