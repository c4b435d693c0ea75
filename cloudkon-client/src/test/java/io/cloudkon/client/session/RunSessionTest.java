package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunLabel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole runs, client and workers on real threads over memory ports, well-behaved and not. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RunSessionTest {
  private static final int TASKS = 300;

  @TempDir Path temp;

  static Stream<Arguments> storms() {
    return Stream.of(Consistency.values())
        .flatMap(mode -> Stream.of(1, 2, 3).map(seed -> Arguments.of(mode, seed)));
  }

  @ParameterizedTest
  @MethodSource("storms")
  void run_in_a_storm_of_faults_has_one_result_for_each_task(Consistency mode, int seed)
      throws Exception {
    try (SessionBed bed = new SessionBed(storm(seed), mode, TASKS, temp)) {
      bed.worker();
      bed.worker();

      bed.run(bed.session(bed.cluster()));

      assertThat(bed.tasksWithResults()).containsExactlyInAnyOrderElementsOf(allTasks());
      long lost = mode == Consistency.AT_MOST_ONCE ? bed.count(TaskStatus.LOST) : 0;
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS - lost);
      assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
      assertThat(bed.reliable.responses().list()).isEmpty();
    }
  }

  /**
   * What can only be waited out, or ends the client before anything was sent, stays away: a receive
   * whose answer is lost hides its messages for 10 s.
   */
  private static Misbehaviour storm(int seed) {
    return Misbehaviour.storm(seed)
        .with(Fate.ANSWER_LOST, 0, Operation.RESPONSE_RECEIVE)
        .with(Fate.ANSWER_LOST, 0, Operation.RUN_CREATE, Operation.RESPONSE_CREATE)
        .with(Fate.THROTTLED, 0, Operation.RUN_CREATE, Operation.RESPONSE_CREATE)
        .with(Fate.ANSWER_LOST, 0, Operation.RESPONSE_REMOVE)
        .with(Fate.THROTTLED, 0, Operation.RESPONSE_REMOVE);
  }

  private static List<String> allTasks() {
    return IntStream.rangeClosed(1, TASKS).mapToObj(Integer::toString).toList();
  }

  @ParameterizedTest
  @MethodSource("repetitions")
  void message_that_comes_twice_shows_one_result(Misbehaviour misbehaviour) throws Exception {
    try (SessionBed bed =
        new SessionBed(misbehaviour.withLateBy(3), Consistency.AT_LEAST_ONCE, TASKS, temp)) {
      bed.worker();

      bed.run(bed.session(bed.cluster()));

      assertThat(bed.tasksWithResults()).containsExactlyInAnyOrderElementsOf(allTasks());
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
    }
  }

  static Stream<Misbehaviour> repetitions() {
    return Stream.of(Misbehaviour.everyMessageTwice(), Misbehaviour.everyMessageReplayed());
  }

  /** Another thread counts the task as final, and ends the run, before its result is written. */
  @Test
  void run_whose_last_result_is_not_written_after_it_was_counted_stays_open() throws Exception {
    ResultSink stubborn =
        new ResultSink() {
          private final AtomicInteger come = new AtomicInteger();

          @Override
          public void accept(
              BundleTimes times, String worker, int attempt, TaskResult result, long offset) {
            // the last to come: what comes after it could not be counted before it is written
            if (come.incrementAndGet() == TASKS) {
              while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park(this); // until the run is over
              }
              throw new IllegalStateException("planted");
            }
          }

          @Override
          public void flushAndSync() {}

          @Override
          public void close() {}
        };
    SessionOptions options =
        new SessionOptions(
            (blobs, run) -> List.of(),
            false,
            RunLabel.NONE,
            () -> {},
            () -> {},
            stubborn,
            line -> {},
            Pause.real());
    try (SessionBed bed = calm()) {
      bed.worker();

      assertThatThrownBy(() -> bed.run(bed.session(bed.cluster(), options)))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("planted");

      assertThat(bed.state()).isEqualTo(RunEntry.State.OPEN);
      assertThat(bed.reliable.responses().list()).isNotEmpty();
    }
  }

  @Test
  void interrupted_client_leaves_its_run_open_and_its_queue_in_place() throws Exception {
    try (SessionBed bed = calm()) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() > 0);

      session.interrupt();

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      assertThat(session.outstanding(true)).contains("of 300 tasks sent, 0 finished");
      assertThat(bed.state()).isEqualTo(RunEntry.State.OPEN);
      assertThatThrownBy(() ->
              bed.session(bed.cluster())
                  .run(RunFolder.choose("a-run", Optional.of(RunFolder.NONE), false), "tasks"))
          .isInstanceOf(UsageException.class)
          .hasMessageEndingWith(
              "or leave it out; that run is unfinished; resume it in the directory of its folder:"
                  + " cloudkon client -s %s --resume a-run",
              bed.cluster().name());
      assertThat(LeaseWatch.letGo(bed.entry())).isTrue();
      assertThat(bed.reliable.responses().list()).containsExactly(bed.identity.responseQueue());
    }
  }

  @Test
  void what_is_left_is_told_of_one_task_as_of_many() {
    assertThat(new Outstanding(1, 1, 0).text(true))
        .isEqualTo("1 of 1 task sent, 0 finished; 1 continues without this client");
    assertThat(new Outstanding(2_000, 2_000, 255).text(true))
        .isEqualTo("2,000 of 2,000 tasks sent, 255 finished; 1,745 continue without this client");
    assertThat(new Outstanding(30, 40, 9).text(false))
        .isEqualTo("9 of 40 tasks finished; the others were stopped or had not started");
  }

  @Test
  void id_of_a_run_that_has_ended_is_refused_without_a_way_to_go_on() throws Exception {
    try (SessionBed bed = calm()) {
      bed.worker();
      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThatThrownBy(() ->
              bed.session(bed.cluster())
                  .run(RunFolder.choose("a-run", Optional.of(RunFolder.NONE), false), "tasks"))
          .isInstanceOf(UsageException.class)
          .hasMessageEndingWith("choose another with --run-id, or leave it out");
    }
  }

  @Test
  void collector_that_meets_an_error_ends_the_run_and_does_not_hang() throws Exception {
    try (SessionBed bed = calm()) {
      bed.worker();
      Cluster broken =
          FailingPort.ofResponses(bed.cluster(), "receive", new OutOfMemoryError("planted"));

      assertThatThrownBy(() -> bed.run(bed.session(broken)))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("planted");
    }
  }

  @Test
  void lease_that_can_not_be_kept_ends_the_run_and_does_not_hang() throws Exception {
    try (SessionBed bed = calm()) {
      Cluster broken =
          FailingPort.ofRuns(
              bed.cluster(), "update", new CloudKonException("UpdateItem was denied"));

      assertThatThrownBy(() -> bed.run(bed.session(broken)))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("denied");
      assertThat(bed.reliable.responses().list()).containsExactly(bed.identity.responseQueue());
    }
  }

  @Test
  void response_queue_that_can_not_be_removed_fails_no_finished_run() throws Exception {
    try (SessionBed bed = calm()) {
      bed.worker();

      bed.run(
          bed.session(
              FailingPort.ofResponses(
                  bed.cluster(), "remove", new CloudKonException("DeleteQueue was denied"))));

      assertThat(bed.tasksWithResults()).hasSize(TASKS);
      assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
    }
  }

  @Test
  void sending_can_be_stopped_at_any_moment_of_its_start() throws Exception {
    for (int i = 0; i < 20; i++) {
      Path folder = Files.createDirectory(temp.resolve("run-" + i));
      try (SessionBed bed =
          new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, TASKS, folder)) {
        RunSession session = bed.session(bed.cluster());
        CompletableFuture<RunEnd> ended = bed.start(session);
        while (bed.reliable.runs().read(bed.identity.run()).isEmpty()
            || bed.reliable.responses().list().isEmpty()
            || !Files.exists(bed.folder.resolve("journal"))) {
          Thread.onSpinWait();
        }
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 50_000_000) {
          session.stopSending();
        }
        session.interrupt();
        assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      }
    }
  }

  private SessionBed calm() throws Exception {
    return new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, TASKS, temp);
  }
}
