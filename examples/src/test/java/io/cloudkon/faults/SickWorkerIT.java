package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A worker, as a process, whose disk is really full. */
@Execution(ExecutionMode.CONCURRENT)
class SickWorkerIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int SICK_EXIT = 10;

  @TempDir private Path folder;
  private Path disk;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=100", "tmpfs", disk.toString()) == 0,
        "this user may not mount a disk");
  }

  @AfterEach
  void unmount() throws Exception {
    int _ = run("umount", "-l", disk.toString());
  }

  @Test
  void worker_whose_disk_is_full_gives_its_work_back_and_ends_with_10() throws Exception {
    List<String> workload = Collections.nCopies(20, "exec true");
    try (TestCluster cluster = new TestCluster();
        WorkerProcess sick =
            new Recipe(cluster, folder)
                .jvm("-Djava.io.tmpdir=" + disk)
                .with("--sick-timeout", "3s")
                .start()
                .awaitReady()) {
      fill();
      try (ClientProcess client =
          ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, workload, Map.of())) {
        await().atMost(LIMIT).until(() -> sick.stderr().contains("this worker is sick"));
        assertThat(sick.awaitExit(LIMIT)).as(sick.stderr()).isEqualTo(SICK_EXIT);

        try (WorkerProcess well = new Recipe(cluster, folder).start().awaitReady()) {
          assertThat(client.awaitExit(LIMIT)).as(well.stderr()).isZero();
          assertThat(client.results().tasks("SUCCEEDED")).hasSize(workload.size());
        }
      }
    }
  }

  /** Takes all of its bytes, and all of its names. */
  private void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
      byte[] chunk = new byte[4096];
      while (true) {
        out.write(chunk);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
    try {
      for (int i = 0; true; i++) {
        Files.createFile(disk.resolve("name-" + i));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
