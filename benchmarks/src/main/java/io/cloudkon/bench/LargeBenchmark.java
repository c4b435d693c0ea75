package io.cloudkon.bench;

import java.io.IOException;
import java.nio.file.Path;

/** Ten million lines with 256 MiB of heap for the client and for the worker. */
final class LargeBenchmark implements Benchmark {
  @Override
  public String name() {
    return "large";
  }

  @Override
  public String what() {
    return "10,000,000 lines, text and JSONL with ids, by client and worker with -Xmx256m";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int tasks = setting.tasks(10_000_000, 500_000);
    run(setting, "noop.txt", tasks, false);
    run(setting, "ids.jsonl", tasks, true);
  }

  private static void run(Setting setting, String name, int tasks, boolean ids)
      throws IOException, InterruptedException {
    Path workload =
        Workloads.lines(
            setting, name, tasks, i -> ids ? "{\"id\":\"item-" + i + "\",\"sleep\":0}" : "noop");
    try (BenchCluster cluster = BenchCluster.start(setting, 1, 4)) {
      long begun = System.nanoTime();
      Program client = cluster.client(workload, "--out", "none");
      double seconds = (System.nanoTime() - begun) / 1e9;
      Program worker = cluster.endWorkers().getFirst();
      setting.say(
          "  %-10s %,11d tasks %7.1f s %,10.0f tasks/s; peak heap of 256 MiB: client %d, worker %d"
              + " MiB; CPU: client %.0f, worker %.0f s",
          name,
          tasks,
          seconds,
          tasks / seconds,
          client.peakHeapMib(),
          worker.peakHeapMib(),
          client.cpuSeconds(),
          worker.cpuSeconds());
    }
  }
}
