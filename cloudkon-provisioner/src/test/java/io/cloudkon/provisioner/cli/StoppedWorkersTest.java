package io.cloudkon.provisioner.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.MemoryInstanceLauncher;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.provisioner.launch.ProcessLauncher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line in which a stopped provisioner tells what becomes of its workers. */
class StoppedWorkersTest {
  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();

  private LauncherSetup.Opened processes() throws Exception {
    Path logs = folder.resolve("logs");
    return new ProcessSetup.Processes(
        new ProcessLauncher(folder.resolve("state"), logs, "here", "exec cat", new SystemTime()),
        logs);
  }

  @Test
  void processes_drain_and_end() throws Exception {
    try (LauncherSetup.Opened opened = processes()) {
      var unused = opened.launcher().launch("T-1", 2, opened.launcher().request());
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> ((ProcessLauncher) opened.launcher()).living() == 2);

      opened.drain(said::add);
    }
    assertThat(said).containsExactly("stopping; 2 workers drain and end within 100 s");
  }

  @Test
  void without_a_process_there_is_nothing_to_wait_for() throws Exception {
    try (LauncherSetup.Opened opened = processes()) {
      opened.drain(said::add);
    }
    assertThat(said).containsExactly("stopping; no worker is running");
  }

  @Test
  void instances_keep_working() throws Exception {
    try (LauncherSetup.Opened opened =
        new Ec2Setup.OnEc2(new MemoryInstanceLauncher(new SystemTime()), "")) {
      opened.drain(said::add);
    }
    assertThat(said)
        .containsExactly("stopping; instances keep working, and end themselves when they are idle");
  }
}
