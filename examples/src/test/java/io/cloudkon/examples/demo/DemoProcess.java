package io.cloudkon.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The demo as a person starts it, or its jar alone. What it started is killed at the latest with
 * it.
 */
final class DemoProcess implements AutoCloseable {
  private static final Path HOME = Path.of(System.getProperty("cloudkon.home"));
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private final Process process;
  private final Path output;
  private final Path temporary;

  private DemoProcess(Path folder, List<String> command) throws IOException {
    output = Files.createTempFile("demo", ".txt");
    temporary = Files.createTempDirectory("demo-tmp");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile());
    builder.environment().put("CLOUDKON_BUILD", "off");
    builder.environment().put("JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    process = builder.start();
  }

  /** {@code ./cloudkon demo} in a folder. */
  static DemoProcess start(Path folder, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("cloudkon").toString(), "demo"));
    command.addAll(List.of(options));
    return new DemoProcess(folder, command);
  }

  /** The examples' jar by itself, without the launcher that says where the checkout is. */
  static DemoProcess startWithoutCheckout(Path folder) throws IOException {
    Path jar = HOME.resolve("examples/target/cloudkon-examples.jar");
    return new DemoProcess(folder, List.of(JAVA.toString(), "-jar", jar.toString(), "demo"));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The exit code. */
  int awaitEnd(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the demo still runs after %s:%n%s".formatted(limit, output()));
    }
    return process.exitValue();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** All that it and its children printed. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What it started and still lives. */
  List<ProcessHandle> processes() {
    return process.descendants().filter(ProcessHandle::isAlive).toList();
  }

  /** Where its own process makes temporary files. */
  Path temporary() {
    return temporary;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    List<ProcessHandle> left = processes();
    process.destroyForcibly().waitFor();
    left.forEach(ProcessHandle::destroyForcibly);
    Files.delete(output);
  }
}
