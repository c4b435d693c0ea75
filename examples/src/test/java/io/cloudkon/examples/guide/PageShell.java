package io.cloudkon.examples.guide;

import io.cloudkon.examples.commands.Ended;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A shell that stays for a whole page, since variables and background jobs do. Not thread-safe. */
final class PageShell implements AutoCloseable {
  private static final int LIMIT_SECONDS = 180;
  private static final int END_SECONDS = 3;

  private final Path log;
  private final Process shell;
  private final BufferedWriter commands;
  private int count;

  /**
   * Starts it.
   *
   * @param builder its folder and environment
   * @param log an empty folder for what commands print
   */
  PageShell(ProcessBuilder builder, Path log) throws IOException {
    this.log = log;
    this.shell =
        builder
            .command("bash", "--noprofile", "--norc")
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.resolve("shell.txt").toFile()))
            .redirectErrorStream(true)
            .start();
    this.commands = shell.outputWriter();
    // job control: kill %1, and each job a group of its own
    send("set -m\ntrap 'failed=$?' ERR\n");
  }

  /**
   * Runs commands to their end; those in the background go on.
   *
   * @return the exit code of the last one that failed, and what they printed on both streams
   */
  Ended run(String text) throws IOException, InterruptedException, TimeoutException {
    count++;
    Path out = log.resolve(count + ".txt");
    Path pipe = log.resolve(count + ".end");
    send(
        "failed=0\n{\n%s} >'%s' 2>&1 </dev/null\necho $failed >'%s.new'; mv '%s.new' '%s'\n"
            .formatted(text, out, pipe, pipe, pipe));
    awaitEnd(pipe, text, out);
    return new Ended(Integer.parseInt(Files.readString(pipe).strip()), Files.readString(out), "");
  }

  private void awaitEnd(Path end, String text, Path out)
      throws IOException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!Files.exists(end)) {
      if (shell.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "the shell ended (%d) in: %s%s"
                .formatted(shell.exitValue(), text, Files.readString(out)));
      }
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "still running after %d s: %s%s".formatted(LIMIT_SECONDS, text, Files.readString(out)));
      }
    }
  }

  private void send(String text) throws IOException {
    commands.write(text);
    commands.flush();
  }

  /** Ends the shell and what it has left in the background. */
  @Override
  public void close() throws IOException, InterruptedException {
    List<ProcessHandle> left = shell.descendants().toList();
    left.forEach(ProcessHandle::destroy);
    commands.close();
    if (!shell.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      shell.destroyForcibly().waitFor();
    }
    // a guard removes its worker's files, so it needs a moment
    giveTime(left);
    Stream.concat(left.stream(), left.stream().flatMap(ProcessHandle::descendants))
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }

  private static void giveTime(List<ProcessHandle> processes) throws InterruptedException {
    try {
      CompletableFuture.allOf(
              processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
          .get(END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // what still runs is killed
    }
  }
}
