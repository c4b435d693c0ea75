package io.cloudkon.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Thread dumps of processes that are waited for in vain. */
public final class ThreadDumps {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private ThreadDumps() {}

  /**
   * Writes the stacks of all threads of this JVM, in which the emulated services run, and of each
   * JVM that it has started: the one that is waited for may itself wait for another. Two files for
   * each, because only one names virtual threads, and only the other what a cold class waits for.
   *
   * @return where they are; they stay there
   */
  public static Path ofThisAndChildren() {
    try {
      Path folder =
          Files.createTempDirectory(Files.createDirectories(Path.of("target", "thread-dumps")), "")
              .toAbsolutePath();
      List<ProcessHandle> jvms =
          Stream.concat(
                  Stream.of(ProcessHandle.current()),
                  ProcessHandle.current()
                      .children()
                      .filter(child -> child.info().command().orElse("").endsWith("java")))
              .toList();
      for (ProcessHandle jvm : jvms) {
        write(jvm, folder);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(ProcessHandle jvm, Path folder) throws IOException {
    String pid = Long.toString(jvm.pid());
    Files.writeString(folder.resolve(pid + "-command.txt"), jvm.info().commandLine().orElse(""));
    Path virtual = folder.resolve(pid + "-virtual.txt");
    jcmd(Redirect.DISCARD, pid, "Thread.dump_to_file", "-format=plain", virtual.toString());
    jcmd(Redirect.to(folder.resolve(pid + "-platform.txt").toFile()), pid, "Thread.print", "-l");
  }

  private static void jcmd(Redirect output, String... arguments) throws IOException {
    List<String> command = Stream.concat(Stream.of(JCMD.toString()), Stream.of(arguments)).toList();
    Process dump =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    try {
      if (!dump.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        dump.destroyForcibly();
      }
    } catch (InterruptedException e) {
      dump.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
