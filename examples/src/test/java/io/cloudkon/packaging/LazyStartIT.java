package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.faults.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command must not load. Without an AOT cache, which loads all of its classes at once. */
class LazyStartIT {
  @TempDir Path folder;

  @Test
  void local_run_without_hpc_jobs_loads_no_rmi() throws Exception {
    Path tasks = Files.writeString(folder.resolve("tasks.txt"), "noop\n");

    List<String> loaded =
        loadedBy(Map.of(), "client", "-s", "LOCAL", "-w", tasks.toString(), "--out", "none");

    assertThat(loaded)
        .anyMatch(line -> line.contains("io.cloudkon.worker.gang.GangService "))
        .noneMatch(line -> line.contains(" sun.rmi."));
  }

  @Test
  void status_loads_neither_ec2_nor_s3() throws Exception {
    try (TestCluster cluster = new TestCluster()) {
      List<String> loaded = loadedBy(cluster.environment(), "status", "-s", cluster.name());

      assertThat(loaded)
          .anyMatch(line -> line.contains(" software.amazon.awssdk.services.sqs."))
          .noneMatch(line -> line.contains(" software.amazon.awssdk.services.ec2."))
          .noneMatch(line -> line.contains(" software.amazon.awssdk.services.s3.S3Client "));
    }
  }

  private List<String> loadedBy(Map<String, String> environment, String... arguments)
      throws Exception {
    Path log = folder.resolve("classes.txt");
    Path jar = Started.HOME.resolve("cloudkon-client/target/cloudkon-client.jar");
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Started.JAVA, "-Xlog:class+load:file=" + log));
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    Started started = Started.of(command, environment);
    assertThat(started.exitCode()).as(started.stderr()).isZero();
    try (Stream<String> lines = Files.lines(log)) {
      return lines.toList();
    }
  }
}
