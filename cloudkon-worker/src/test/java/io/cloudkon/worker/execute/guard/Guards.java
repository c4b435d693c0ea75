package io.cloudkon.worker.execute.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.spawn.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Guards by each way in which this machine can start commands. */
public enum Guards {
  /** Without a shell between: Linux with glibc. */
  SPAWN(true) {
    @Override
    GroupLaunch launch() throws IOException {
      assertThat(Spawner.ofThisMachine().isPresent() || !isLinuxWithGlibc()).isTrue();
      assumeTrue(Spawner.ofThisMachine().isPresent(), "commands cannot be spawned here");
      return GroupLaunch.detect();
    }
  },
  /** Behind a shell, in a group by the machine's own way. */
  DETECTED(false) {
    @Override
    GroupLaunch launch() throws IOException {
      return GroupLaunch.detect();
    }
  },
  /** macOS's, which any machine with bash has too: its /bin/sh is a bash. */
  JOB_CONTROL(false) {
    @Override
    GroupLaunch launch() {
      return new GroupLaunch.JobControl(Files.isExecutable(BASH) ? BASH : GroupLaunch.SHELL);
    }
  };

  private static final Path BASH = Path.of("/bin/bash");

  private final boolean spawns;

  Guards(boolean spawns) {
    this.spawns = spawns;
  }

  abstract GroupLaunch launch() throws IOException;

  public Guard guard(Duration deadline) {
    return guard(deadline, StartRule.AS_THE_WORKER);
  }

  Guard guard(Duration deadline, StartRule rule) {
    try {
      return new Guard(deadline, rule, launch(), spawns);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What builds run on: there it must not be skipped in silence. */
  private static boolean isLinuxWithGlibc() {
    return Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"))
        || Files.exists(Path.of("/lib/ld-linux-aarch64.so.1"));
  }

  /** The process numbers of all that this JVM's guards consist of. */
  public static Stream<ProcessHandle> processes() {
    return ProcessHandle.current()
        .descendants()
        .filter(p -> p.info().commandLine().orElse("").contains("cloudkon-guard"));
  }
}
