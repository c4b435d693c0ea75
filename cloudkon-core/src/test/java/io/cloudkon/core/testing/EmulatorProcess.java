package io.cloudkon.core.testing;

import io.cloudkon.core.process.AotCache;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The embedded AWS in a process of its own, empty at first, on free ports of 127.0.0.1. It ends
 * with {@link #close()}, and also when this JVM ends, however it ends: it reads the standard input
 * that this JVM holds open. Thread-safe.
 */
public final class EmulatorProcess implements AutoCloseable {
  private static final long START_LIMIT_SECONDS = 120;
  private static final long STOP_LIMIT_SECONDS = 20;
  private static final String EXPORT = "export ";

  private static @Nullable EmulatorProcess shared;

  private final Process process;
  private final Map<String, String> environment;

  private EmulatorProcess(Process process, Map<String, String> environment) {
    this.process = process;
    this.environment = environment;
  }

  /**
   * The one that all tests of this JVM share, started when it is first asked for: they keep apart
   * by the names of their clusters, and leave it open.
   */
  public static synchronized EmulatorProcess shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /**
   * Starts another one, and returns when it answers.
   *
   * @throws IllegalStateException with what it wrote, if it is not built or does not start
   */
  public static EmulatorProcess start() {
    return start(EmulatorJar.find());
  }

  static EmulatorProcess start(Path jar) {
    Process process = spawn(jar);
    ProcessOutput errors = ProcessOutput.of(process.errorReader());
    try {
      Map<String, String> environment =
          CompletableFuture.supplyAsync(
                  () -> exportLines(process.inputReader()), Thread::startVirtualThread)
              .get(START_LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!environment.containsKey("AWS_SECRET_ACCESS_KEY")) {
        throw failed(process, "ended while it was starting", errors);
      }
      ProcessOutput.of(process.inputReader());
      return new EmulatorProcess(process, environment);
    } catch (TimeoutException e) {
      throw failed(process, "was not ready within " + START_LIMIT_SECONDS + " s", errors);
    } catch (ExecutionException e) {
      throw failed(process, "cannot be read: " + e.getCause(), errors);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(process, "was not waited for, the thread being interrupted", errors);
    }
  }

  private static Process spawn(Path jar) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(AotCache.options(jar));
    command.addAll(
        List.of(
            // a start takes half the time without C2
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--sun-misc-unsafe-memory-access=allow",
            "-jar",
            jar.toString(),
            "--until-stdin-closes"));
    try {
      return new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads as far as the last variable that the emulator prints, or to the end of its output. */
  private static Map<String, String> exportLines(BufferedReader output) {
    Map<String, String> variables = new LinkedHashMap<>();
    try {
      String line;
      while (!variables.containsKey("AWS_SECRET_ACCESS_KEY")
          && (line = output.readLine()) != null) {
        if (line.startsWith(EXPORT)) {
          String[] parts = line.substring(EXPORT.length()).split("=", 2);
          variables.put(parts[0], parts[1]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(variables);
  }

  private static IllegalStateException failed(Process process, String what, ProcessOutput errors) {
    process.destroyForcibly();
    return new IllegalStateException("The emulator " + what + ". It wrote: " + errors.wholeText());
  }

  /** Where SQS answers. */
  public URI sqsEndpoint() {
    return URI.create(environment.get("AWS_ENDPOINT_URL_SQS"));
  }

  /** Where DynamoDB answers. */
  public URI dynamoDbEndpoint() {
    return URI.create(environment.get("AWS_ENDPOINT_URL_DYNAMODB"));
  }

  /** Where S3 answers; its first request takes as long as S3 takes to start, some seconds. */
  public URI s3Endpoint() {
    return URI.create(environment.get("AWS_ENDPOINT_URL_S3"));
  }

  /** The variables that point a child process at it: endpoints, region and credentials. */
  public Map<String, String> environment() {
    return environment;
  }

  /** The process, for tests that stop or kill it. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Ends it, and waits until it is gone. What it held is lost. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
