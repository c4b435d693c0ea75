package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.bench.fleet.FleetRecord;
import io.cloudkon.bench.fleet.FleetSampler;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.provisioner.cli.ProvisionerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A fleet of worker processes that starts empty, grows with a first wave of tasks, shrinks in a
 * pause, and handles a second wave three times as large.
 */
final class ProvisioningBenchmark implements Benchmark {
  private static final int SLOTS = 4;
  private static final int MOST = 5;
  private static final int TASK_MILLIS = 100;
  private static final int PAUSE_SECONDS = 25;
  private static final int IDLE_SECONDS = 10;
  private static final int TARGET_SECONDS = 20;
  private static final long GONE_SECONDS = 60;
  private static final String USD_PER_HOUR = "0.10";

  private final ObjectMapper json = new ObjectMapper();

  @Override
  public String name() {
    return "provisioning";
  }

  @Override
  public String what() {
    return "a fleet of processes that grows with its queue, and ends itself; writes a picture";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int tasks = setting.tasks(1_600, 400);
    try (BenchCluster cluster = BenchCluster.start(setting, 0, SLOTS)) {
      List<Long> finishes = new ArrayList<>();
      Program sampler = cluster.program("sampler", FleetSampler.class, cluster.queue());
      try (sampler;
          Program _ = provisioner(setting, cluster)) {
        double first = wave(setting, cluster, "first", tasks, finishes);
        TimeUnit.SECONDS.sleep(setting.quick() ? 1 : PAUSE_SECONDS);
        double second = wave(setting, cluster, "second", 3 * tasks, finishes);
        setting.say("  first wave  %,6d tasks of %d ms  %6.2f s", tasks, TASK_MILLIS, first);
        setting.say("  second wave %,6d tasks of %d ms  %6.2f s", 3 * tasks, TASK_MILLIS, second);
        awaitEmpty(sampler);
      }
      report(setting, FleetRecord.read(sampler.output()), finishes);
    }
  }

  private static Program provisioner(Setting setting, BenchCluster cluster) throws IOException {
    return cluster.program(
        "provisioner",
        ProvisionerMain.class,
        "-s",
        cluster.queue(),
        "--launcher",
        "process",
        "--max",
        Integer.toString(MOST),
        "--worker-slots",
        Integer.toString(SLOTS),
        "--interval",
        "1s",
        "--target",
        TARGET_SECONDS + "s",
        "--idle-timeout",
        IDLE_SECONDS + "s",
        "--price",
        "process=" + USD_PER_HOUR,
        "--state",
        setting.scratch().resolve("state").toString(),
        "--logs",
        setting.scratch().resolve("workers").toString());
  }

  private double wave(
      Setting setting, BenchCluster cluster, String name, int tasks, List<Long> finishes)
      throws IOException, InterruptedException {
    Path out = setting.scratch().resolve(name);
    Path workload =
        Workloads.lines(setting, name + ".txt", tasks, i -> "sleep %dms".formatted(TASK_MILLIS));
    Program unused = cluster.client(workload, "--out", out.toString());
    try (Stream<String> lines = Files.lines(out.resolve("results.jsonl"))) {
      for (String line : (Iterable<String>) lines::iterator) {
        finishes.add(json.readTree(line).path("stamps").path("finished").asLong() / 1000);
      }
    }
    JsonNode report = Reports.read(out);
    if (report.path("succeeded").asInt() != tasks) {
      throw new CloudKonException(
          "the %s wave: %d of %d tasks succeeded"
              .formatted(name, report.path("succeeded").asInt(), tasks));
    }
    return report.path("makespanSeconds").asDouble();
  }

  private static void awaitEmpty(Program sampler) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(IDLE_SECONDS + GONE_SECONDS);
    while (!FleetRecord.read(sampler.output()).endsWithoutWorkers()) {
      if (System.nanoTime() > deadline) {
        throw new CloudKonException(
            "workers still live %d s after the last task".formatted(IDLE_SECONDS + GONE_SECONDS));
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private static void report(Setting setting, FleetRecord record, List<Long> finishes)
      throws IOException {
    record.lines().forEach(line -> setting.say("  %s", line));
    setting.goal("never more than %d workers".formatted(MOST), record.mostWorkers() <= MOST);
    Path figures = setting.home().resolve("docs/figures");
    // The picture of a trial run is removed with its scratch folder.
    Path folder =
        setting.quick() ? setting.scratch() : Files.isDirectory(figures) ? figures : Path.of("");
    Path picture = folder.resolve("provisioning.png");
    record.draw(picture, finishes.stream().mapToLong(Long::longValue).toArray());
    setting.say("  picture: %s", picture);
  }
}
