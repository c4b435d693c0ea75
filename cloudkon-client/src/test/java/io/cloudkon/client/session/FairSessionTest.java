package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of a fair cluster, which hold back what is not their share. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FairSessionTest {
  private static final int TASKS = 300;

  @TempDir Path temp;

  private SessionBed bed(Consistency consistency) throws Exception {
    List<String> lines =
        IntStream.range(0, TASKS).mapToObj(i -> i % 100 == 7 ? "sleep 20" : "noop").toList();
    SessionBed bed =
        new SessionBed(
            Misbehaviour.none(),
            consistency,
            lines,
            new BundlerSettings(0, 20, 60 * 1024, true),
            temp);
    bed.fair(Priority.NORMAL);
    return bed;
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void run_in_a_fair_cluster_ends_with_every_result(Consistency consistency) throws Exception {
    try (SessionBed bed = bed(consistency)) {
      bed.worker();

      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void client_without_workers_sends_one_bundle_and_its_entry_speaks_for_the_rest()
      throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);

      await().until(() -> bed.entry().sent() > 0);
      RunEntry entry = bed.entry();
      assertThat(entry.sent()).isEqualTo(1);
      assertThat(entry.unfinished()).isEqualTo(TASKS);
      assertThat(entry.remaining().priority()).contains(Priority.NORMAL);
      assertThat(bed.reliable.requests().depth().waiting()).isEqualTo(1);

      bed.worker();
      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
    }
  }

  @Test
  void resumed_client_sends_what_the_first_one_held_back() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == 1);
      session.interrupt();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      assertThat(session.counts().sent()).isEqualTo(1);
      bed.fair(Priority.HIGH);
      bed.worker();

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      bed.assertNothingIsLeft();
    }
  }
}
