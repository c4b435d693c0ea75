package io.cloudkon.bench.rivals;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.ChildEnvironment;
import io.cloudkon.core.process.Descendants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands and times them. Their standard input stays open until they have ended. When it
 * closes, the rivals' scripts kill everything that they started, so that no process outlives this
 * one. Thread safe.
 */
final class ProcessRunner {
  private static final long LIMIT_SECONDS = 600;
  private static final long END_SECONDS = 5;
  private static final Duration GRACE = Duration.ofSeconds(END_SECONDS);
  private static final int TAIL = 3;

  private final Path folder;
  private final Runnable endAll;
  private boolean stopped;

  /** A runner whose commands run and write in this folder. */
  ProcessRunner(Path folder) {
    this(folder, () -> Descendants.end(GRACE));
  }

  /**
   * A runner whose commands run and write in this folder.
   *
   * @param endAll ends every descendant of this process
   */
  ProcessRunner(Path folder, Runnable endAll) {
    this.folder = folder;
    this.endAll = endAll;
  }

  /**
   * A command that succeeded.
   *
   * @param output its standard output
   * @param seconds from its start to its end
   */
  record Run(String output, double seconds) {}

  /**
   * Runs a command, which must succeed.
   *
   * @param name the base name of the files for its output
   * @param environment added to that of this process, without its AWS settings and options
   * @throws CloudKonException if it fails or takes longer than 600 s
   */
  Run run(String name, List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path output = folder.resolve(name + ".out");
    Path errors = folder.resolve(name + ".err");
    ProcessBuilder builder = builder(command, environment).redirectOutput(output.toFile());
    long begun = System.nanoTime();
    Process process = start(builder.redirectError(errors.toFile()));
    try {
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      double seconds = (System.nanoTime() - begun) / 1e9;
      if (!ended || process.exitValue() != 0) {
        check();
        throw new CloudKonException(
            "%s: %s"
                .formatted(
                    ended
                        ? "it ended with %d".formatted(process.exitValue())
                        : "it did not end within %d s".formatted(LIMIT_SECONDS),
                    tail(output, errors)));
      }
      return new Run(Files.readString(output), seconds);
    } finally {
      end(process);
    }
  }

  /** Starts a command whose standard output the caller reads. */
  Process stand(String name, List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    return start(
        builder(command, environment).redirectError(folder.resolve(name + ".err").toFile()));
  }

  private ProcessBuilder builder(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    ChildEnvironment.isolate(builder.environment(), environment);
    return builder;
  }

  private synchronized Process start(ProcessBuilder builder)
      throws IOException, InterruptedException {
    check();
    return builder.start();
  }

  /**
   * Throws if the runner was stopped, so that a process that was stopped does not count as failed.
   */
  private synchronized void check() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException("the program ends");
    }
  }

  /** The last lines of a process's output and errors. */
  private static String tail(Path output, Path errors) throws IOException {
    String text = (Files.readString(output) + "\n" + Files.readString(errors)).strip();
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }

  /** Ends a process and its descendants. */
  static void end(Process process) throws IOException, InterruptedException {
    List<ProcessHandle> below = process.descendants().toList();
    process.outputWriter().close();
    below.forEach(ProcessHandle::destroy);
    process.destroy();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      process.waitFor();
    }
    below.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Ends every descendant of this process, including those that others started; nothing can be
   * started from its begin on. Other threads learn of it meanwhile, and can clean up.
   */
  void stop() {
    refuse();
    endAll.run();
  }

  private synchronized void refuse() {
    stopped = true;
  }
}
