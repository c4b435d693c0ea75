package io.cloudkon.client.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.time.SystemTime;
import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class BundleMakerTest {
  private static final int TASKS = 2_000;
  private static final int THREADS = 4;
  private static final String RUN = "run";
  private static final String EPOCH = "epoch";

  private final RunOptions options = options(BundlerSettings.DEFAULT);
  private final SystemTime time = new SystemTime();
  private final RunAccount account = new RunAccount(options, EPOCH, time);
  private final ShakyBlobStore blobs = new ShakyBlobStore();
  private final ConcurrentLinkedQueue<BundleMaker.Made> made = new ConcurrentLinkedQueue<>();

  /** Beyond the probes every thread waits for the first result, and then all go on at once. */
  @Test
  void make_several_threads_that_wait_for_the_first_result_bundles_each_task_once()
      throws InterruptedException {
    String lines = "java sha256 x\n".repeat(TASKS);
    try (Workload workload = open(lines, WorkloadFormat.TEXT);
        var reader = workload.read()) {
      BundleMaker maker = maker(reader, TASKS);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(Thread.ofPlatform().start(() -> makeAll(maker)));
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> threads.stream().allMatch(BundleMakerTest::waits));
      account.collecting().sort(firstResult(), 0);
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

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        || thread.getState() == Thread.State.WAITING;
  }

  /** However many a bundle could hold: what is there goes, and nobody is waited for. */
  @Test
  void make_ends_a_bundle_where_the_next_task_is_still_to_come() throws Exception {
    PipedOutputStream typed = new PipedOutputStream();
    try (Workload workload =
            Workload.stream("-", new PipedInputStream(typed), WorkloadFormat.TEXT);
        var reader = workload.read()) {
      RunAccount of =
          new RunAccount(options(new BundlerSettings(100, 250, 60 * 1024, true)), EPOCH, time);
      BundleMaker maker = maker(reader, of, -1);
      typed.write("noop\n".getBytes(StandardCharsets.US_ASCII));
      typed.flush();
      assertThat(maker.make().tasks()).hasSize(1);
      typed.write("noop\nnoop\nnoop\nno".getBytes(StandardCharsets.US_ASCII));
      typed.flush();
      assertThat(maker.make().tasks()).hasSize(3);
      typed.write("op\n".getBytes(StandardCharsets.US_ASCII));
      typed.close();
      assertThat(maker.make().tasks()).hasSize(1);
      assertThat(maker.make()).isNull();
    }
  }

  /** Who types the workload may think for long: renewals and results need the account meanwhile. */
  @Test
  void make_reads_without_holding_the_account_and_sends_what_was_read() throws Exception {
    PipedOutputStream typed = new PipedOutputStream();
    try (Workload workload =
            Workload.stream("-", new PipedInputStream(typed), WorkloadFormat.TEXT);
        var reader = workload.read()) {
      RunOptions one = options(new BundlerSettings(1, 250, 60 * 1024, true));
      RunAccount of = new RunAccount(one, EPOCH, time);
      BundleMaker maker = maker(reader, of, -1);
      typed.write("noop\nnoop\n".getBytes(StandardCharsets.US_ASCII));
      typed.flush();
      assertThat(maker.make().bundle().firstOrdinal()).isZero();
      assertThat(maker.make().bundle().firstOrdinal()).isEqualTo(1);

      Thread third = Thread.ofPlatform().start(() -> makeAll(maker));
      Awaitility.await().until(maker::isReading);
      assertThat(of.countsWithin(5_000)).isPresent();

      maker.close();
      typed.write("noop\n".getBytes(StandardCharsets.US_ASCII));
      typed.close();
      third.join();
      assertThat(of.counts().tasks()).isEqualTo(2);
    }
  }

  @Test
  void make_tasks_that_say_nothing_of_retries_take_the_runs() throws InterruptedException {
    String lines =
        """
        {"noop": true}
        {"noop": true, "retries": 5}
        """;
    try (Workload workload = open(lines, WorkloadFormat.JSONL);
        var reader = workload.read()) {
      makeAll(maker(reader, 2));
    }
    assertThat(made.stream().flatMap(m -> m.tasks().stream()))
        .extracting(Task::retries)
        .containsExactly(2, 5);
  }

  /**
   * While one thread's upload hangs, another makes what follows, under the ordinals that follow.
   */
  @Test
  void make_large_tasks_are_stored_without_holding_up_other_threads() throws Exception {
    String large = "exec echo " + "x".repeat(2 << 20) + "\n";
    CountDownLatch uploading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    blobs.during =
        () -> {
          uploading.countDown();
          awaitQuietly(goOn);
        };
    try (Workload workload = open(large + "noop\n".repeat(3), WorkloadFormat.TEXT);
        var reader = workload.read()) {
      BundleMaker maker = maker(reader, 4);
      Thread first = Thread.ofPlatform().start(() -> makeAll(maker));
      awaitQuietly(uploading);
      makeAll(maker);
      assertThat(made).isNotEmpty().noneMatch(m -> m.bundle().firstOrdinal() == 0);
      goOn.countDown();
      first.join();
    }
    Map<Integer, Task> tasks = new TreeMap<>();
    made.forEach(m -> m.tasks().forEach(task -> tasks.put(task.ordinal(), task)));
    assertThat(tasks).hasSize(4);
    assertThat(tasks.get(0).work()).isInstanceOf(Work.Stored.class);
    assertThat(tasks.get(3)).isEqualTo(new Task(3, "4", Work.Noop.INSTANCE, 0, 2));
  }

  @Test
  void make_a_bundle_holds_only_so_much_that_is_to_be_stored() throws Exception {
    String large = "exec echo " + "x".repeat(5 << 20);
    RunOptions eight = options(new BundlerSettings(8, 250, 60 * 1024, true));
    List<Integer> sizes = new ArrayList<>();
    try (Workload workload = open((large + "\nnoop\n").repeat(4), WorkloadFormat.TEXT);
        var reader = workload.read()) {
      BundleMaker maker = maker(reader, new RunAccount(eight, EPOCH, time), 8);
      for (BundleMaker.Made next = maker.make(); next != null; next = maker.make()) {
        sizes.add(next.tasks().size());
      }
    }
    assertThat(sizes).containsExactly(6, 2);
    assertThat(blobs.puts).as("equal work is stored once").hasValue(1);
  }

  private BundleMaker maker(TaskReader reader, int tasks) {
    return maker(reader, account, tasks);
  }

  private BundleMaker maker(TaskReader reader, RunAccount of, int tasks) {
    return new BundleMaker(
        reader,
        of.sending(),
        time,
        () -> tasks,
        TaskDefaults.of(options),
        new LargeTasks(
            blobs, RUN, 0, Path.of(""), () -> false, new ServicePatience(new ManualTime())),
        0);
  }

  private static Workload open(String lines, WorkloadFormat format) {
    return Workload.open(
        "-", new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII)), format);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static RunOptions options(BundlerSettings bundler) {
    return new RunOptions(
        RUN,
        Consistency.EXACTLY_ONCE,
        1024,
        THREADS,
        0,
        2,
        bundler,
        CompletenessSettings.DEFAULT,
        LeaseSettings.DEFAULT);
  }

  private void makeAll(BundleMaker maker) {
    try {
      for (BundleMaker.Made next = maker.make(); next != null; next = maker.make()) {
        account.sending().sending(next.bundle());
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

  @Test
  void make_a_job_is_a_bundle_of_its_own_and_ends_the_one_before() throws Exception {
    String lines = "noop\nnoop\nhpc 4 java pi 1 2\nhpc 2 sleep 7\nnoop\nmpi 3 ./solve\n";
    RunOptions eight = options(new BundlerSettings(8, 250, 60 * 1024, true));
    List<BundleMaker.Made> all = new ArrayList<>();
    try (Workload workload = open(lines, WorkloadFormat.TEXT);
        var reader = workload.read()) {
      BundleMaker maker = maker(reader, new RunAccount(eight, EPOCH, time), 6);
      for (BundleMaker.Made next = maker.make(); next != null; next = maker.make()) {
        all.add(next);
      }
    }
    assertThat(all)
        .extracting(m -> m.bundle().job())
        .containsExactly(false, true, true, false, true);
    assertThat(all).extracting(m -> m.bundle().firstOrdinal()).containsExactly(0, 2, 3, 4, 5);
    assertThat(all).extracting(m -> m.bundle().line()).containsExactly(1L, 3L, 4L, 5L, 6L);
    assertThat(all).extracting(m -> m.tasks().size()).containsExactly(2, 1, 1, 1, 1);
    assertThat(all.get(2).estimatedMicros()).as("of both ranks").isEqualTo(14_000);
  }

  /** Beyond the probes, tasks would wait for the first result. */
  @Test
  void make_jobs_wait_for_no_result() throws Exception {
    String lines = "java sha256 x\n".repeat(64) + "hpc 2 java pi 1 2\n".repeat(100);
    try (Workload workload = open(lines, WorkloadFormat.TEXT);
        var reader = workload.read()) {
      makeAll(maker(reader, 164));
    }
    assertThat(made.stream().filter(m -> m.bundle().job())).hasSize(100);
  }
}
