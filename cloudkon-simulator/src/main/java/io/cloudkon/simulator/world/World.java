package io.cloudkon.simulator.world;

import io.cloudkon.simulator.check.Witness;
import io.cloudkon.simulator.cloud.SimCloud;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.engine.Trace;
import java.util.SplittableRandom;

/**
 * The parts that everything in a simulation shares.
 *
 * @param timeline virtual time
 * @param trace for people
 * @param random everything that is drawn, but what the cloud draws
 * @param cloud the services
 * @param witness of what must hold
 * @param twist what is wrong, if anything
 */
public record World(
    Timeline timeline,
    Trace trace,
    SplittableRandom random,
    SimCloud cloud,
    Witness witness,
    BugHook twist) {

  /** What HPC jobs need of the services. */
  public SimHpc hpc() {
    return cloud.hpc(twist.ledger(), twist.ranksAmongJobs());
  }

  /** A process that begins now. */
  public SimProcess process(String name, CrashPoint crash, SimProcess.Clocks clocks) {
    SimProcess process = new SimProcess(timeline, trace, random.split(), name, crash, clocks);
    witness.begins(name, process::dead);
    return process;
  }

  /** The service's clock, in milliseconds. */
  public long serviceMillis() {
    return timeline.now() / 1000;
  }
}
