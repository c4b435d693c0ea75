package io.cloudkon.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Thread dumps of processes that are waited for in vain. */
final class ThreadDumps {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private ThreadDumps() {}

  /**
   * Writes the stacks of all threads, virtual ones too, of each JVM that this one has started and
   * that lives: the one that is waited for may itself wait for another.
   *
   * @return where they are; they stay there
   */
  static Path ofChildren() {
    try {
      Path folder =
          Files.createTempDirectory(Files.createDirectories(Path.of("target", "thread-dumps")), "");
      List<ProcessHandle> jvms =
          ProcessHandle.current()
              .children()
              .filter(child -> child.info().command().orElse("").endsWith("java"))
              .toList();
      for (ProcessHandle jvm : jvms) {
        write(jvm, folder.toAbsolutePath().resolve(jvm.pid() + ".txt"));
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(ProcessHandle jvm, Path file) throws IOException {
    Path jcmd = Processes.JAVA.resolveSibling("jcmd");
    Process dump =
        new ProcessBuilder(
                jcmd.toString(),
                Long.toString(jvm.pid()),
                "Thread.dump_to_file",
                "-format=plain",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!dump.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        dump.destroyForcibly();
      }
      Files.writeString(
          file.resolveSibling(jvm.pid() + "-command.txt"), jvm.info().commandLine().orElse(""));
    } catch (InterruptedException e) {
      dump.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
