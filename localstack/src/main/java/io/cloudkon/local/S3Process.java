package io.cloudkon.local;

import io.cloudkon.core.process.AotCache;
import io.cloudkon.local.s3.PrivateFolder;
import io.cloudkon.local.s3.S3Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A JVM with S3Mock and its folder. It reads its standard input, which this JVM holds open, and so
 * ends with this JVM, however that ends. Thread-safe.
 */
final class S3Process implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
  private static final int LINES_KEPT = 4;

  /** The most bytes of a socket's path on every system; Linux takes four more. */
  private static final int LONGEST_SOCKET = 103;

  /**
   * The exit codes for SIGHUP, SIGINT and SIGTERM, which a terminal sends to all processes at once.
   */
  private static final Set<Integer> ENDED_FROM_OUTSIDE = Set.of(129, 130, 143);

  /**
   * Options for a process that spends most of its time on start-up and keeps no objects in memory.
   */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData");

  /**
   * The environment variables that are passed on; others could be meant for another Java, or be
   * taken for settings of S3Mock.
   */
  private static final Set<String> VARIABLES_KEPT =
      Set.of("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "SystemRoot");

  private final Process process;
  private final Path folder;
  private final Consumer<String> tell;
  private final CompletableFuture<Path> socket = new CompletableFuture<>();
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread reader;
  private volatile boolean closing;

  private S3Process(Process process, Path folder, Consumer<String> tell) {
    this.process = process;
    this.folder = folder;
    this.tell = tell;
    this.reader = Thread.ofVirtual().name("s3-output").unstarted(this::readToItsEnd);
  }

  /**
   * Starts a process, and does not wait for it.
   *
   * @throws LocalException if the process cannot be started; {@code tell} has received the message
   */
  static S3Process spawn(Path jar, Consumer<String> tell) {
    Path folder = null;
    try {
      if (!Files.isRegularFile(jar)) {
        throw new IOException(jar + " is missing; build it with: mvn -pl localstack package");
      }
      folder = Files.createTempDirectory("cloudkon-s3-");
      checkLength(folder.resolve(S3Main.SOCKET));
      S3Process started = new S3Process(builder(jar, folder).start(), folder, tell);
      started.reader.start();
      return started;
    } catch (IOException e) {
      if (folder != null) {
        PrivateFolder.delete(folder);
      }
      String message = "S3 cannot be started: " + e.getMessage();
      tell.accept(message);
      throw new LocalException(message, e);
    }
  }

  private static void checkLength(Path socket) throws IOException {
    int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_SOCKET) {
      throw new IOException(
          "the path of its socket, %s, has %d bytes, and a socket's may have %d; name a folder for temporary files with a shorter path, by TMPDIR, or for java -jar by -Djava.io.tmpdir=DIR"
              .formatted(socket, length, LONGEST_SOCKET));
    }
  }

  private static ProcessBuilder builder(Path jar, Path folder) {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    builder.command().addAll(JVM_OPTIONS);
    builder.command().addAll(AotCache.options(jar));
    builder.command().add("-Djava.io.tmpdir=" + folder);
    builder.command().addAll(List.of("-jar", jar.toString(), folder.toString()));
    builder.environment().keySet().retainAll(VARIABLES_KEPT);
    // not in the user's folder, because S3Mock would read an application.properties there
    return builder.directory(folder.toFile()).redirectErrorStream(true);
  }

  /** Whether it answers or is still starting. */
  boolean isAlive() {
    return process.isAlive() && !socket.isCompletedExceptionally();
  }

  /**
   * Waits until it answers.
   *
   * @return its Unix domain socket, in a folder that only this user can enter
   * @throws LocalException if it does not start
   */
  Path socket() {
    try {
      return socket.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LocalException failure
          ? failure
          : new LocalException("S3 cannot be started: " + e, e);
    } catch (TimeoutException e) {
      process.destroyForcibly();
      throw new LocalException(
          "S3 cannot be started: not ready within %d s.".formatted(START_LIMIT.toSeconds()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalException("Interrupted while waiting for S3.", e);
    }
  }

  private void readToItsEnd() {
    try (BufferedReader output = process.inputReader()) {
      output.lines().forEach(this::take);
    } catch (IOException | UncheckedIOException e) {
      // the process is gone
    }
    int exitCode = process.onExit().join().exitValue();
    PrivateFolder.delete(folder);
    fail(
        "its process ended with exit code %d. It wrote: %s"
            .formatted(exitCode, String.join("; ", lastLines)));
    if (!closing && !socket.isCompletedExceptionally() && !ENDED_FROM_OUTSIDE.contains(exitCode)) {
      tell.accept(
          "S3 ended with exit code %d, and its contents are lost; the next request starts it again."
              .formatted(exitCode));
    }
  }

  private void take(String line) {
    if (line.equals(S3Main.READY)) {
      socket.complete(folder.resolve(S3Main.SOCKET));
    } else if (line.startsWith(S3Main.FAILED)) {
      fail(line.substring(S3Main.FAILED.length()));
    } else if (!line.isBlank()) {
      lastLines.addLast(line.strip());
      if (lastLines.size() > LINES_KEPT) {
        lastLines.removeFirst();
      }
    }
  }

  private void fail(String reason) {
    String message = "S3 cannot be started: " + reason;
    if (socket.completeExceptionally(new LocalException(message)) && !closing) {
      tell.accept(message);
    }
  }

  /** Ends the process, and waits until it and its folder are gone. */
  @Override
  public void close() throws InterruptedException {
    closing = true;
    Closing.quietly(process.getOutputStream());
    if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    reader.join();
  }
}
