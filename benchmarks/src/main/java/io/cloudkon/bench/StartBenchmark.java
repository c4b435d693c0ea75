package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.AotCache;
import io.cloudkon.core.process.ChildCollector;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Measures the start of a command or a worker, compared with a JVM that does nothing. */
final class StartBenchmark implements Benchmark {
  private static final String BARE = "bare JVM";
  private static final String WORKER = "worker until its first receive";

  /** The goals, in processor seconds. */
  private static final Map<String, Double> GOALS =
      Map.of("LOCAL no-op", 0.6, "cluster no-op", 1.1, "status", 1.0, WORKER, 2.0);

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String what() {
    return "processor time and duration of starting commands and workers, beside a bare JVM";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int rounds = setting.tasks(9, 3);
    String one = Workloads.of(setting, "one.txt", List.of("noop")).toString();
    Map<String, List<CommandSeconds>> taken = new LinkedHashMap<>();
    try (BenchCluster cluster = BenchCluster.start(setting, 1, 2)) {
      String queue = cluster.queue();
      Map<String, List<String>> commands = new LinkedHashMap<>();
      List<String> bare = new ArrayList<>(List.of(Program.java(), "-XX:TieredStopAtLevel=1"));
      bare.addAll(ChildCollector.options());
      bare.add("-version");
      commands.put(BARE, bare);
      commands.put(
          "LOCAL no-op",
          cloudkon(setting, "client", "-s", "LOCAL", "-t", "1", "-w", one, "--out", "none"));
      commands.put(
          "cluster no-op", cloudkon(setting, "client", "-s", queue, "-w", one, "--out", "none"));
      commands.put("status", cloudkon(setting, "status", "-s", queue));
      Map<String, String> environment = new HashMap<>(cluster.environment());
      environment.put("CLOUDKON_BUILD", "off");
      environment.put("JAVA_HOME", System.getProperty("java.home"));
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, List<String>> command : commands.entrySet()) {
          CommandSeconds seconds =
              CommandSeconds.of(command.getValue(), environment, setting.scratch());
          taken.computeIfAbsent(command.getKey(), name -> new ArrayList<>()).add(seconds);
        }
        taken.computeIfAbsent(WORKER, name -> new ArrayList<>()).add(worker(setting, cluster));
      }
    }
    setting.say("  of %d in turns: %20s%21s", rounds, "processor time", "duration");
    setting.say("  %-32s%10s%10s%10s%10s", "", "median", "least", "median", "least");
    taken.forEach((name, seconds) -> say(setting, name, seconds));
  }

  private static void say(Setting setting, String name, List<CommandSeconds> seconds) {
    double[] processor = sorted(seconds, CommandSeconds::processor);
    double[] elapsed = sorted(seconds, CommandSeconds::elapsed);
    double median = processor[processor.length / 2];
    setting.say(
        "  %-32s%8.2f s%8.2f s%8.2f s%8.2f s",
        name, median, processor[0], elapsed[elapsed.length / 2], elapsed[0]);
    Double goal = GOALS.get(name);
    if (goal != null) {
      setting.goal("at most %.1f s".formatted(goal), median <= goal);
    }
  }

  private static double[] sorted(
      List<CommandSeconds> seconds, ToDoubleFunction<CommandSeconds> figure) {
    return seconds.stream().mapToDouble(figure).sorted().toArray();
  }

  private static List<String> cloudkon(Setting setting, String... arguments) {
    List<String> command = new ArrayList<>(List.of(setting.home().resolve("cloudkon").toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts a worker without work and waits until it reports that it receives. */
  private static CommandSeconds worker(Setting setting, BenchCluster cluster)
      throws IOException, InterruptedException {
    Path jar = setting.home().resolve("cloudkon-worker/target/cloudkon-worker.jar");
    List<String> command = new ArrayList<>(List.of(Program.java()));
    command.addAll(AotCache.options(jar));
    command.addAll(List.of("-jar", jar.toString(), "-s", cluster.queue(), "-t", "1"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    long begun = System.nanoTime();
    Process process = BenchProcesses.start(builder, cluster.environment());
    try (BufferedReader said = process.inputReader()) {
      StringBuilder before = new StringBuilder();
      String line = said.readLine();
      while (line == null || !line.contains(BenchCluster.READY)) {
        if (line == null) {
          throw new CloudKonException("a worker did not start: " + before);
        }
        before.append(line).append('\n');
        line = said.readLine();
      }
      double elapsed = (System.nanoTime() - begun) / 1e9;
      long millis = process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
      return new CommandSeconds(millis / 1000.0, elapsed);
    } finally {
      process.destroy();
      var unused = process.waitFor();
    }
  }
}
