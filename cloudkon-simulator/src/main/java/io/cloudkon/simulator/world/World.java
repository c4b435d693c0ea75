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
 * @param trace a log for people
 * @param random the source of all random numbers except the cloud's
 * @param cloud the services
 * @param witness checks the invariants
 * @param twist the planted bug, if any
 */
public record World(
    Timeline timeline,
    Trace trace,
    SplittableRandom random,
    SimCloud cloud,
    Witness witness,
    BugHook twist) {

  /** The services that HPC jobs need. */
  public SimHpc hpc() {
    return cloud.hpc(twist.ledger(), twist.ranksAmongJobs());
  }

  /** Starts a process now. */
  public SimProcess process(String name, CrashPoint crash, SimProcess.Clocks clocks) {
    SimProcess process = new SimProcess(timeline, trace, random.split(), name, crash, clocks);
    witness.begins(process);
    return process;
  }

  /** The service's clock, in milliseconds. */
  public long serviceMillis() {
    return timeline.now() / 1000;
  }
}
