package io.cloudkon.client.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.SystemTime;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LocalClusterTest {
  @TempDir Path temp;
  private final SystemTime time = new SystemTime();

  @BeforeEach
  void deafen() {
    DeafHandler.released = new CountDownLatch(1);
  }

  @AfterEach
  void release() {
    DeafHandler.released.countDown();
  }

  @Test
  void task_that_can_not_be_stopped_keeps_nobody_from_finishing_the_rest() throws Exception {
    List<String> lines = new ArrayList<>(Collections.nCopies(20, "sleep 2"));
    lines.add("java deaf");
    lines.addAll(Collections.nCopies(200, "sleep 30"));

    RunStatistics statistics = run(lines);

    assertThat(statistics.count(TaskStatus.TIMED_OUT)).isEqualTo(1);
    assertThat(statistics.count(TaskStatus.SUCCEEDED)).isEqualTo(220);
  }

  /** Each kept a carrier of virtual threads, and with none left the run stood still for good. */
  @Test
  void computations_that_can_not_be_stopped_keep_nobody_from_finishing_the_rest() throws Exception {
    int carriers =
        ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class).getParallelism();
    List<String> lines = new ArrayList<>(Collections.nCopies(carriers + 1, "java deaf busy"));
    lines.addAll(Collections.nCopies(200, "sleep 2"));

    RunStatistics statistics = run(lines);

    assertThat(statistics.count(TaskStatus.TIMED_OUT)).isEqualTo(carriers + 1);
    assertThat(statistics.count(TaskStatus.SUCCEEDED)).isEqualTo(200);
  }

  private RunStatistics run(List<String> lines) throws Exception {
    Path file = Files.write(temp.resolve("tasks.txt"), lines);
    RunIdentity identity = RunIdentity.fresh("LOCAL", "a-run", new Random());
    RunStatistics statistics = new RunStatistics(time.wallMicros(), calls -> 0);
    Path jars = DeafHandler.jars(Files.createDirectory(temp.resolve("jars")));
    try (Workload workload =
            Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO);
        LocalCluster local = LocalCluster.start(2, Optional.of(jars), time)) {
      new RunSession(
              local.cluster(), options(), identity, workload, statistics, time, m -> m * 1000)
          .run(RunFolder.choose("a-run", Optional.of(RunFolder.NONE), false), "tasks");
    }
    return statistics;
  }

  private static RunOptions options() {
    return new RunOptions(
        "a-run",
        Consistency.EXACTLY_ONCE,
        65_536,
        2,
        500,
        0,
        BundlerSettings.DEFAULT,
        CompletenessSettings.DEFAULT,
        LeaseSettings.DEFAULT);
  }
}
