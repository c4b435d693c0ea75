package io.cloudkon.bench;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.AotCache;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The embedded AWS in a process of its own, which ends with this one. */
final class BenchEmulator implements AutoCloseable {
  private static final String EXPORT = "export ";
  private static final String LAST = "AWS_SECRET_ACCESS_KEY";

  private final Process process;
  private final Map<String, String> environment;

  private BenchEmulator(Process process, Map<String, String> environment) {
    this.process = process;
    this.environment = environment;
  }

  /** Starts the emulator; returns when it is ready. */
  static BenchEmulator start(Setting setting) throws IOException {
    Path jar = Checkout.emulator(setting.home());
    List<String> command = new ArrayList<>();
    command.add(Program.java());
    command.addAll(AotCache.options(jar));
    command.addAll(setting.jvm());
    command.addAll(
        List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "-jar",
            jar.toString(),
            "--emulate-latency=" + Durations.format(setting.latency()),
            "--until-stdin-closes"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(setting.scratch().toFile())
            .redirectError(setting.scratch().resolve("emulator.log").toFile());
    Process process = BenchProcesses.start(builder, Map.of());
    try {
      return new BenchEmulator(process, environment(process, jar));
    } catch (IOException | RuntimeException e) {
      process.destroy();
      throw e;
    }
  }

  /** The variables that it prints, the last of them once it is ready. */
  private static Map<String, String> environment(Process process, Path jar) throws IOException {
    Map<String, String> environment = new HashMap<>();
    BufferedReader lines = process.inputReader();
    while (!environment.containsKey(LAST)) {
      String line = lines.readLine();
      if (line == null) {
        throw new CloudKonException("the emulator %s did not start".formatted(jar));
      }
      if (line.startsWith(EXPORT)) {
        String[] parts = line.substring(EXPORT.length()).split("=", 2);
        environment.put(parts[0], parts[1]);
      }
    }
    return Map.copyOf(environment);
  }

  /** The environment variables that point the SDK at it. */
  Map<String, String> environment() {
    return environment;
  }

  /** Its processor time so far, in seconds. */
  double cpuSeconds() {
    return process.info().totalCpuDuration().map(d -> d.toMillis()).orElse(0L) / 1000.0;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.outputWriter().close();
    process.waitFor();
  }
}
