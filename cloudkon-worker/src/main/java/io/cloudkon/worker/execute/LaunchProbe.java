package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Tests what every command needs, with a command that does nothing. Thread safe. */
final class LaunchProbe {
  private static final int BYTES = 4096;
  private static final long ENDS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final WorkingDirectories directories;
  private final Guard guard;
  private final Executor pipes;

  LaunchProbe(WorkingDirectories directories, Guard guard, Executor pipes) {
    this.directories = directories;
    this.guard = guard;
    this.pipes = pipes;
  }

  /** Writes a small file in the temporary file system, and removes it. */
  void write() throws IOException {
    Path fresh = Files.createTempDirectory(directories.scratch(), "probe-");
    try {
      Files.write(fresh.resolve("file"), new byte[BYTES]);
    } finally {
      FileTrees.remove(fresh);
    }
  }

  /** Does the same as {@link #write}, and runs {@code true} under the guard. */
  void launch() throws IOException, InterruptedException {
    write();
    Path here = directories.scratch();
    try (var process = guard.start(List.of("true"), here, Map.of(), pipes)) {
      if (!process.ends(ENDS_NANOS) || process.exitCode() != 0) {
        throw new IOException("'true' did not run as it should");
      }
    }
  }
}
