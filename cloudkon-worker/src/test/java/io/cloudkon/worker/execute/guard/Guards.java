package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.process.GroupLaunch;
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
    GroupLaunch launch() throws IOException {
      return GroupLaunch.detect();
    }
  },
  /** macOS's, which any machine with bash has too: its /bin/sh is a bash. */
  JOB_CONTROL {
    @Override
    GroupLaunch launch() {
      return new GroupLaunch.JobControl(Files.isExecutable(BASH) ? BASH : GroupLaunch.SHELL);
    }
  };

  private static final Path BASH = Path.of("/bin/bash");

  abstract GroupLaunch launch() throws IOException;

  public Guard guard(Duration deadline) {
    try {
      return new Guard(deadline, StartRule.AS_THE_WORKER, launch());
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
