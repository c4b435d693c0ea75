package io.cloudkon.local;

import io.cloudkon.core.process.AotCache;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One {@code java -jar cloudkon-local.jar …}, which ends with this JVM unless it goes to the
 * background.
 */
final class LocalProcess implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;
  private static final int EXPORT_LINES = 6;

  private final Process process;
  private final CompletableFuture<String> errors;
  private final List<String> exports = new ArrayList<>();

  /** What a command left behind. */
  record Ended(int exitCode, String out, String err) {
    /** An address that it printed. */
    URI endpoint(String variable) {
      return URI.create(value(variable));
    }

    AccessKey key() {
      return new AccessKey(value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"));
    }

    /** The value of one of the variables that it printed. */
    private String value(String variable) {
      return out.lines()
          .filter(line -> line.startsWith("export " + variable + "="))
          .map(line -> line.substring(line.indexOf('=') + 1))
          .findFirst()
          .orElseThrow(() -> new AssertionError(variable + " is not in: " + out + err));
    }
  }

  private LocalProcess(Process process) {
    this.process = process;
    this.errors =
        CompletableFuture.supplyAsync(() -> all(process.errorReader()), Thread::startVirtualThread);
  }

  private static LocalProcess spawn(List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // a start takes half the time without C2
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(AotCache.options(Path.of(System.getProperty("cloudkon.local.jar"))));
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(jvmOptions);
    command.add("-jar");
    command.add(System.getProperty("cloudkon.local.jar"));
    command.addAll(arguments);
    try {
      return new LocalProcess(new ProcessBuilder(command).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String all(BufferedReader reader) {
    return String.join("\n", reader.lines().toList());
  }

  /** Runs a command to its end. */
  static Ended run(String... arguments) {
    LocalProcess local = spawn(List.of(), List.of(arguments));
    CompletableFuture<String> output =
        CompletableFuture.supplyAsync(
            () -> all(local.process.inputReader()), Thread::startVirtualThread);
    try {
      return new Ended(
          local.exitCode(),
          output.get(LIMIT_SECONDS, TimeUnit.SECONDS),
          local.errors.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      local.process.destroyForcibly();
    }
  }

  /** Starts a command that the test ends or waits for. */
  static LocalProcess begin(String... arguments) {
    return spawn(List.of(), List.of(arguments));
  }

  /** Starts the emulator in the foreground, and returns when it has printed its lines. */
  static LocalProcess start(String... arguments) {
    return start(List.of(), arguments);
  }

  /** Likewise, with all temporary files in {@code folder}. */
  static LocalProcess startIn(Path folder) {
    return start(List.of("-Djava.io.tmpdir=" + folder));
  }

  private static LocalProcess start(List<String> jvmOptions, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--until-stdin-closes");
    LocalProcess local = spawn(jvmOptions, all);
    try {
      while (local.exports.size() < EXPORT_LINES) {
        String line = local.process.inputReader().readLine();
        if (line == null) {
          throw new AssertionError(local.errors.join());
        }
        local.exports.add(line);
      }
      return local;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> exports() {
    return exports;
  }

  Endpoints endpoints() {
    return new Endpoints(
        port("AWS_ENDPOINT_URL_SQS"),
        port("AWS_ENDPOINT_URL_DYNAMODB"),
        port("AWS_ENDPOINT_URL_S3"));
  }

  AccessKey key() {
    return printed().key();
  }

  private int port(String variable) {
    return printed().endpoint(variable).getPort();
  }

  private Ended printed() {
    return new Ended(0, String.join("\n", exports), "");
  }

  Process process() {
    return process;
  }

  int exitCode() {
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What it wrote to standard error, after its end. */
  String errors() {
    return errors.join();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    exitCode();
  }
}
