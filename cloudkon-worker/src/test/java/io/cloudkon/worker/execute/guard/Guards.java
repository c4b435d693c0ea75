package io.cloudkon.worker.execute.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Guards by each way in which this machine can make a process group. */
public enum Guards {
  /** The machine's own. */
  DETECTED {
    @Override
    Launch launch() throws IOException {
      return Launch.detect();
    }
  },
  /** macOS's, which any machine with bash has too: its /bin/sh is a bash. */
  JOB_CONTROL {
    @Override
    Launch launch() {
      return new Launch.JobControl(Files.isExecutable(BASH) ? BASH : Launch.SHELL);
    }
  };

  private static final Path BASH = Path.of("/bin/bash");

  abstract Launch launch() throws IOException;

  public Guard guard(Duration deadline) {
    try {
      return new Guard(deadline, launch());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The process numbers of all that this JVM's guards consist of. */
  public static Stream<ProcessHandle> processes() {
    return ProcessHandle.current()
        .descendants()
        .filter(p -> p.info().commandLine().orElse("").contains("cloudkon-guard"));
  }
}
