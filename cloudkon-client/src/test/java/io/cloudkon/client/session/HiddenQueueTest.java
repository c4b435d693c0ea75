package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.testing.Intercepted;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A response queue that lives, and of which the service says that it does not exist. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class HiddenQueueTest {
  private static final int TASKS = 20;
  private static final SessionOptions DETACHED =
      new SessionOptions((blobs, run) -> List.of(), true, () -> {}, line -> {}, millis -> {});

  @TempDir Path temp;

  /** Everything has run, its results are in the response queue, and no client is there. */
  private SessionBed finished() throws Exception {
    List<String> lines = IntStream.range(0, TASKS).mapToObj(i -> "java echo " + i).toList();
    BundlerSettings bundler = new BundlerSettings(5, 20, 60 * 1024, false);
    SessionBed bed =
        new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, lines, bundler, temp);
    assertThat(bed.run(bed.session(bed.reliable, DETACHED))).isEqualTo(RunEnd.DETACHED);
    bed.worker(bed.reliable);
    await().until(() -> bed.reliable.requests().depth().equals(new QueueDepth(0, 0, 0)));
    return bed;
  }

  private static void assertWhole(SessionBed bed) throws Exception {
    assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
    assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
    assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
    bed.assertNothingIsLeft();
  }

  @Test
  void one_answer_that_there_is_no_queue_moves_nothing() throws Exception {
    try (SessionBed bed = finished()) {
      String first = bed.entry().responseQueue();
      AtomicInteger receives = new AtomicInteger();
      Cluster once =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("receive") && receives.getAndIncrement() == 0) {
                  throw new MissingResourceException("queue", first, null);
                }
                return call.make();
              });

      assertThat(bed.resume(once, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);

      assertThat(receives).hasValueGreaterThan(1);
      assertThat(bed.entry().responseQueue()).isEqualTo(first);
      assertWhole(bed);
    }
  }

  @Test
  void results_in_a_queue_that_was_given_up_are_collected_when_it_shows_again() throws Exception {
    try (SessionBed bed = finished()) {
      String first = bed.entry().responseQueue();
      AtomicInteger missing = new AtomicInteger();
      AtomicBoolean moved = new AtomicBoolean();
      Cluster hidden =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                moved.compareAndSet(false, method.equals("create"));
                boolean hides = !moved.get() || missing.get() < 4;
                if (method.equals("receive") && arguments[0].equals(first) && hides) {
                  missing.addAndGet(moved.get() ? 1 : 0);
                  throw new MissingResourceException("queue", first, null);
                }
                return call.make();
              });

      assertThat(bed.resume(hidden, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.entry().responseQueue()).isNotEqualTo(first);
      assertWhole(bed);
    }
  }

  @Test
  void next_client_reads_and_removes_a_queue_that_the_one_before_has_left() throws Exception {
    try (SessionBed bed = finished()) {
      String first = bed.entry().responseQueue();
      Cluster dying =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("receive") && arguments[0].equals(first)) {
                  throw new MissingResourceException("queue", first, null);
                }
                Object answer = call.make();
                if (method.equals("create")) {
                  throw new MortalCluster.Died();
                }
                return answer;
              });
      assertThatThrownBy(() -> bed.resume(dying, bed.folder, SessionOptions.NONE))
          .isInstanceOf(CloudKonException.class);
      assertThat(bed.entry().responseQueue()).isNotEqualTo(first);

      assertThat(bed.resume(bed.reliable, bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertWhole(bed);
    }
  }

  @Test
  void client_that_dies_at_the_run_s_end_leaves_no_former_queue() throws Exception {
    try (SessionBed bed = finished()) {
      String first = bed.entry().responseQueue();
      AtomicBoolean moved = new AtomicBoolean();
      AtomicBoolean ended = new AtomicBoolean();
      Cluster hidden =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                moved.compareAndSet(false, method.equals("create"));
                if (method.equals("receive") && arguments[0].equals(first) && !moved.get()) {
                  throw new MissingResourceException("queue", first, null);
                }
                return call.make();
              });
      Cluster dying =
          Intercepted.runs(
              hidden,
              (method, arguments, call) -> {
                if (method.equals("update")
                    && ((RunEntry) arguments[0]).state() == RunEntry.State.ENDED) {
                  ended.set(true);
                  assertThat(bed.reliable.responses().list()).doesNotContain(first);
                }
                return call.make();
              });

      assertThat(bed.resume(dying, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);

      assertThat(ended).isTrue();
      assertWhole(bed);
    }
  }
}
