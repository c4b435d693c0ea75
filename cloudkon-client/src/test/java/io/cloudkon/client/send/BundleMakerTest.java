package io.cloudkon.client.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.SystemTime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class BundleMakerTest {
  private static final int TASKS = 2_000;
  private static final int THREADS = 4;
  private static final String RUN = "run";
  private static final String EPOCH = "epoch";

  private final RunOptions options =
      new RunOptions(
          RUN,
          Consistency.EXACTLY_ONCE,
          1024,
          THREADS,
          0,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT);
  private final SystemTime time = new SystemTime();
  private final RunAccount account = new RunAccount(options, EPOCH, time);
  private final ConcurrentLinkedQueue<BundleMaker.Made> made = new ConcurrentLinkedQueue<>();

  /** Beyond the probes every thread waits for the first result, and then all go on at once. */
  @Test
  void make_several_threads_that_wait_for_the_first_result_bundles_each_task_once()
      throws InterruptedException {
    String lines = "java sha256 x\n".repeat(TASKS);
    try (Workload workload =
            Workload.open(
                "-",
                new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII)),
                WorkloadFormat.TEXT);
        var reader = workload.read()) {
      BundleMaker maker = new BundleMaker(reader, account, time, () -> TASKS, 0);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(Thread.ofPlatform().start(() -> makeAll(maker)));
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
      account.sort(firstResult(), 0);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    List<Integer> ordinals =
        made.stream().flatMap(m -> m.tasks().stream()).map(Task::ordinal).sorted().toList();
    assertThat(ordinals).isEqualTo(IntStream.range(0, TASKS).boxed().toList());
    assertThat(made)
        .allSatisfy(m -> {
          assertThat(m.tasks().getFirst().ordinal()).isEqualTo(m.bundle().firstOrdinal());
          assertThat(m.tasks()).hasSize(m.bundle().tasks());
        });
  }

  private void makeAll(BundleMaker maker) {
    try {
      for (BundleMaker.Made next = maker.make(); next != null; next = maker.make()) {
        account.sending(next.bundle());
        made.add(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ResultBatch firstResult() {
    byte[] nothing = {};
    TaskResult result =
        new TaskResult(
            0, "1", TaskStatus.SUCCEEDED, 0, nothing, 0, nothing, 0, nothing, 0, "", 10, 20, 1);
    return new ResultBatch(
        RUN,
        EPOCH,
        BundleIds.of(RUN, EPOCH, 0),
        new ResultBatch.WorkerId("worker", 4, 1),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        List.of(result),
        List.of(),
        "");
  }
}
