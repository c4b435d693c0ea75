package io.cloudkon.bench;

import java.io.IOException;

/** HPC jobs: their throughput, their start latency, and their effect on other tasks. */
final class GangsBenchmark implements Benchmark {
  /** The number of slots of a worker process. */
  static final int SLOTS = 4;

  @Override
  public String name() {
    return "gangs";
  }

  @Override
  public String what() {
    return "HPC jobs of 4, 8 and 16 ranks: throughput, latency, and beside small tasks";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    GangThroughput.run(setting);
    GangLatency.run(setting);
    GangMix.run(setting);
  }

  static String line(int ranks) {
    return "hpc %d noop".formatted(ranks);
  }
}
