package io.cloudkon.bench;

import java.io.IOException;

/** HPC jobs: how many per second, how soon they start, and what they cost other tasks. */
final class GangsBenchmark implements Benchmark {
  /** What a worker process has. */
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
