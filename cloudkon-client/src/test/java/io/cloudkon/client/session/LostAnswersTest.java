package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes to the table of runs that had their effect, and whose answers were lost. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LostAnswersTest {
  private static final SessionOptions STORES =
      new SessionOptions(
          (blobs, run) -> {
            blobs.put(BlobKeys.in(run, "x"), new byte[1]);
            return List.of();
          },
          false,
          () -> {},
          line -> {},
          millis -> {});

  @TempDir Path temp;

  private SessionBed bed(List<String> lines) throws IOException {
    BundlerSettings bundler = new BundlerSettings(5, 20, 60 * 1024, true);
    return new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, lines, bundler, temp);
  }

  private static List<String> echoes() {
    return IntStream.range(0, 20).mapToObj(i -> "java echo " + i).toList();
  }

  private static TransientServiceException lost() {
    return new TransientServiceException(
        "dynamodb.UpdateItem got no answer", new IOException("reset"));
  }

  /** The answer to the first update in that state is lost. */
  private static Cluster losing(Cluster whole, RunEntry.State state) {
    AtomicBoolean lost = new AtomicBoolean();
    return Intercepted.runs(
        whole,
        (method, arguments, call) -> {
          Object answer = call.make();
          if (method.equals("update")
              && ((RunEntry) arguments[0]).state() == state
              && !lost.getAndSet(true)) {
            throw lost();
          }
          return answer;
        });
  }

  @Test
  void run_whose_end_was_written_and_not_answered_is_cleared_up() throws Exception {
    try (SessionBed bed = bed(echoes())) {
      bed.worker(bed.reliable);
      Cluster losing = losing(bed.reliable, RunEntry.State.ENDED);

      assertThat(bed.run(bed.session(losing, STORES))).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void cancelled_run_whose_settlement_was_written_and_not_answered_is_settled() throws Exception {
    try (SessionBed bed = bed(echoes())) {
      Cluster losing = losing(bed.reliable, RunEntry.State.CANCELLED);
      RunSession session = bed.session(losing, STORES);
      var ended = bed.start(session);
      await().until(() -> session.counts().sent() == 20);

      session.cancel();

      assertThat(ended.get(120, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
      assertThat(LeaseWatch.letGo(bed.entry())).isTrue();
      bed.assertNothingIsLeft();
    }
  }

  /** Takes the ten seconds for which such messages are hidden. */
  @Test
  void results_that_an_unanswered_receive_has_hidden_count_in_a_cancelled_run() throws Exception {
    try (SessionBed bed = bed(echoes())) {
      bed.worker(bed.reliable);
      AtomicBoolean answers = new AtomicBoolean();
      AtomicBoolean hidden = new AtomicBoolean();
      Cluster losing =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("receive") && !answers.get()) {
                  throw lost();
                }
                Object answer = call.make();
                if (method.equals("receive") && !hidden.getAndSet(true)) {
                  throw lost();
                }
                return answer;
              });
      RunSession session = bed.session(losing, STORES);
      var ended = bed.start(session);
      await()
          .until(() ->
              session.counts().sent() == 20 && bed.reliable.requests().depth().inFlight() == 0);

      session.cancel();
      answers.set(true);

      assertThat(ended.get(120, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(20);
    }
  }

  @Test
  void renewal_that_was_not_answered_before_the_clock_was_set_back_ends_no_client()
      throws Exception {
    try (SessionBed bed = bed(List.of("sleep 4000", "noop"))) {
      AtomicLong ahead = new AtomicLong();
      TimeSource time =
          new TimeSource() {
            @Override
            public long monotonicNanos() {
              return bed.time.monotonicNanos();
            }

            @Override
            public long wallMicros() {
              return bed.time.wallMicros();
            }

            @Override
            public long serviceMillis() {
              return bed.time.serviceMillis() + ahead.get();
            }
          };
      Cluster losing =
          Intercepted.runs(
              bed.reliable,
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("update") && ahead.getAndSet(-2_000) == 0) {
                  throw lost();
                }
                return answer;
              });
      bed.worker(bed.reliable);
      RunSession session =
          new RunSession(
              losing,
              bed.options,
              bed.identity,
              bed.workload,
              bed.statistics,
              time,
              millis -> millis * 1000);

      assertThat(bed.run(session)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.tasksWithResults()).hasSize(2);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_of_which_nobody_can_say_whether_it_was_created_is_not_left_open() throws Exception {
    try (SessionBed bed = bed(echoes())) {
      AtomicInteger withdrawals = new AtomicInteger();
      Cluster losing =
          Intercepted.runs(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("update") && withdrawals.getAndIncrement() == 0) {
                  throw lost();
                }
                Object answer = call.make();
                if (method.equals("create")) {
                  throw lost();
                }
                return answer;
              });
      RunFolder folder = RunFolder.choose("a-run", Optional.of(bed.folder.toString()), false);

      assertThatThrownBy(() -> bed.session(losing, STORES).run(folder, "tasks"))
          .isInstanceOf(TransientServiceException.class);

      assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
      assertThat(bed.folder).doesNotExist();
    }
  }
}
