package io.cloudkon.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.port.RunStore;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link RunStore} does. */
public abstract class RunStoreContract extends PortContract {

  private RunStore store() {
    return cluster().runs();
  }

  private RunEntry entry(String run, String holder, String responseQueue) {
    return entry(run, holder, responseQueue, Consistency.EXACTLY_ONCE);
  }

  private RunEntry entry(String run, String holder, String responseQueue, Consistency consistency) {
    long now = fixture().serviceMillis();
    return new RunEntry(
        run,
        "epoch",
        RunEntry.State.OPEN,
        consistency,
        responseQueue,
        holder,
        "host",
        now + 15_000,
        "",
        0,
        0,
        Map.of(),
        RemainingWork.UNKNOWN,
        now,
        now);
  }

  private static RunEntry elsewhere(RunEntry run, String responseQueue) {
    return new RunEntry(
        run.run(),
        run.epoch(),
        run.state(),
        run.consistency(),
        responseQueue,
        run.holder(),
        run.host(),
        run.leaseEnd(),
        run.digest(),
        run.tasks(),
        run.sent(),
        run.counts(),
        run.remaining(),
        run.createdMillis(),
        run.updatedMillis());
  }

  @ParameterizedTest
  @EnumSource
  void create_publishes_every_field(Consistency consistency) {
    RunEntry run = entry("run", "client", "queue", consistency);

    assertThat(store().create(run)).isTrue();

    assertThat(store().read("run")).contains(run);
  }

  @Test
  void label_is_read_as_it_was_written_and_stays() {
    RunLabel label = new RunLabel("night \u2603", Map.of("paper", "fig 3", "empty", ""));
    RunEntry run = entry("run", "client", "queue").with(label);
    assertThat(store().create(run)).isTrue();

    RunEntry later = further(run, 10);
    assertThat(store().update(later)).isTrue();

    assertThat(store().read("run")).contains(later);
    assertThat(later.label()).isEqualTo(label);
  }

  @Test
  void what_workers_hand_in_adds_up_and_no_client_changes_it() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();

    assertThat(store().handIn("run", new FinishedTasks(5, 2, 1.5))).isTrue();
    RunEntry later = further(run, 10);
    assertThat(store().update(later)).isTrue();
    assertThat(store().handIn("run", new FinishedTasks(7, 0, 0))).isTrue();
    RunEntry next = later.heldBy("other", "host", "queue", later.leaseEnd(), later.updatedMillis());
    assertThat(store().takeOver(next, later)).isTrue();

    RunEntry stands = store().read("run").orElseThrow();
    assertThat(stands.handedIn()).isEqualTo(new FinishedTasks(12, 2, 0));
    assertThat(stands.with(FinishedTasks.NONE)).isEqualTo(next);
  }

  @Test
  void runs_that_have_not_ended_are_found_without_the_others() {
    RunEntry open = entry("open", "client", "queue");
    RunEntry cancelled = entry("cancelled", "client", "queue");
    RunEntry ended = entry("ended", "client", "queue");
    for (RunEntry run : List.of(open, cancelled, ended)) {
      assertThat(store().create(run)).isTrue();
    }
    RunEntry end = ended.with(RunEntry.State.ENDED, 0, 1, 1, Map.of(), ended.updatedMillis() + 1);
    assertThat(store().update(end)).isTrue();
    long now = fixture().serviceMillis();
    RunEntry left = store().cancel("cancelled", now).orElseThrow();

    await()
        .untilAsserted(() -> assertThat(store().notEnded()).containsExactlyInAnyOrder(open, left));
    assertThat(store().list()).containsExactlyInAnyOrder(open, left, end);
  }

  @Test
  void what_workers_hand_in_of_no_run_is_dropped() {
    assertThat(store().handIn("unknown", new FinishedTasks(5, 2, 1.5))).isFalse();
    assertThat(store().list()).isEmpty();
  }

  private static RunEntry further(RunEntry run, long tasks) {
    return run.with(
        run.state(), run.leaseEnd(), tasks, tasks, run.counts(), run.updatedMillis() + 1);
  }

  @Test
  void priority_of_a_client_is_read_as_it_was_written() {
    RemainingWork fair = RemainingWork.UNKNOWN.with(Optional.of(Priority.HIGH)).counted(false);
    RunEntry entry = entry("fair", "client", "queue").with(fair);

    assertThat(store().create(entry)).isTrue();

    assertThat(store().read("fair").orElseThrow().remaining()).isEqualTo(fair);
  }

  @Test
  void create_with_a_used_id_changes_nothing() {
    RunEntry first = entry("run", "client", "queue");
    assertThat(store().create(first)).isTrue();

    assertThat(store().create(entry("run", "other", "other queue"))).isFalse();

    assertThat(store().read("run")).contains(first);
  }

  @Test
  void create_by_two_at_once_is_true_for_one() {
    for (int round = 0; round < 10; round++) {
      String run = "run-" + round;

      long created =
          AtOnce.call(
                  () -> store().create(entry(run, "one", "queue")),
                  () -> store().create(entry(run, "two", "queue")))
              .stream()
              .filter(Boolean::booleanValue)
              .count();

      assertThat(created).isEqualTo(1);
    }
  }

  @Test
  void read_of_an_unknown_run_is_empty() {
    assertThat(store().read("unknown")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void update_by_its_holder_changes_what_changes(RunEntry.State state) {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    for (TaskStatus status : TaskStatus.values()) {
      counts.put(status, 1_000_000_007L * (status.ordinal() + 1));
    }
    long now = run.updatedMillis() + 5000;
    RunEntry later =
        elsewhere(run, "another queue")
            .with(state, now + 15_000, 1L << 33, (1L << 33) - 1, counts, now);

    assertThat(store().update(later)).isTrue();

    assertThat(store().read("run")).contains(later);
  }

  @Test
  void create_of_the_same_entry_again_is_true() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();

    assertThat(store().create(run)).isTrue();
    assertThat(store().create(entry("run", "other", "queue"))).isFalse();
  }

  @Test
  void update_made_twice_is_true_both_times() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    RunEntry ended = run.with(RunEntry.State.ENDED, 1, 2, 2, Map.of(), run.updatedMillis() + 9);

    assertThat(store().update(ended)).isTrue();
    assertThat(store().update(ended)).isTrue();

    assertThat(store().read("run")).contains(ended);
  }

  @Test
  void update_that_is_older_changes_nothing() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    RunEntry first = run.with(RunEntry.State.OPEN, 1, 2, 1, Map.of(), run.updatedMillis() + 5);
    RunEntry second = first.with(RunEntry.State.OPEN, 2, 2, 2, Map.of(), run.updatedMillis() + 9);
    assertThat(store().update(second)).isTrue();

    assertThat(store().update(first)).isFalse();

    assertThat(store().read("run")).contains(second);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OPEN")
  void update_of_a_run_that_is_not_open_changes_nothing(RunEntry.State state) {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    RunEntry closed = run.with(state, 1, 2, 2, Map.of(), run.updatedMillis() + 5);
    assertThat(store().update(closed)).isTrue();

    RunEntry open = closed.with(RunEntry.State.OPEN, 9, 2, 2, Map.of(), run.updatedMillis() + 9);
    assertThat(store().update(open)).isFalse();

    assertThat(store().read("run")).contains(closed);
  }

  @Test
  void update_by_another_changes_nothing() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();

    assertThat(store().update(entry("run", "other", "other queue"))).isFalse();

    assertThat(store().read("run")).contains(run);
  }

  @ParameterizedTest
  @EnumSource(names = {"OPEN", "CANCELLED"})
  void take_over_of_a_run_that_stands_as_it_was_seen_gives_it_to_another(RunEntry.State state) {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    RunEntry seen = run.with(state, 1, 3, 2, Map.of(), run.updatedMillis() + 5);
    assertThat(store().update(seen)).isTrue();
    RunEntry next = seen.heldBy("other", "elsewhere", "another queue", 99_000, run.createdMillis());

    assertThat(store().takeOver(next, seen)).isTrue();
    assertThat(store().takeOver(next, seen)).as("again, as after a lost answer").isTrue();

    assertThat(store().read("run")).contains(next);
    assertThat(next.tasks()).isEqualTo(3);
    RunEntry late = seen.with(state, 2, 3, 3, Map.of(), seen.updatedMillis() + 9_000);
    assertThat(store().update(late)).as("its former holder's update").isFalse();
    assertThat(store().read("run")).contains(next);
  }

  @Test
  void take_over_of_a_run_that_was_renewed_meanwhile_changes_nothing() {
    RunEntry seen = entry("run", "client", "queue");
    assertThat(store().create(seen)).isTrue();
    RunEntry renewed = seen.with(RunEntry.State.OPEN, 5, 0, 0, Map.of(), seen.updatedMillis() + 1);
    assertThat(store().update(renewed)).isTrue();

    assertThat(store().takeOver(seen.heldBy("other", "h", "q", 9, 0), seen)).isFalse();

    assertThat(store().read("run")).contains(renewed);
  }

  @Test
  void take_over_by_two_at_once_is_true_for_one() {
    for (int round = 0; round < 10; round++) {
      RunEntry seen = entry("run-" + round, "client", "queue");
      assertThat(store().create(seen)).isTrue();

      long taken =
          AtOnce.call(
                  () -> store().takeOver(seen.heldBy("one", "h", "q", 9, 0), seen),
                  () -> store().takeOver(seen.heldBy("two", "h", "q", 9, 0), seen))
              .stream()
              .filter(Boolean::booleanValue)
              .count();

      assertThat(taken).isEqualTo(1);
    }
  }

  @Test
  void take_over_of_an_ended_or_unknown_run_changes_nothing() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    RunEntry ended = run.with(RunEntry.State.ENDED, 1, 2, 2, Map.of(), run.updatedMillis() + 5);
    assertThat(store().update(ended)).isTrue();

    assertThat(store().takeOver(ended.heldBy("other", "h", "q", 9, 0), ended)).isFalse();
    assertThat(store().takeOver(run.heldBy("other", "h", "q", 9, 0), run)).isFalse();
    RunEntry unknown = entry("unknown", "client", "queue");
    assertThat(store().takeOver(unknown.heldBy("other", "h", "q", 9, 0), unknown)).isFalse();

    assertThat(store().read("run")).contains(ended);
    assertThat(store().read("unknown")).isEmpty();
  }

  @Test
  void cancel_of_an_open_run_cancels_it_and_leaves_it_to_its_holder() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    long now = run.updatedMillis() + 7;

    assertThat(store().cancel("run", now)).contains(run.cancelled(now));
    assertThat(store().cancel("run", now + 5)).as("again").contains(run.cancelled(now));

    RunEntry cancelled = store().read("run").orElseThrow();
    assertThat(cancelled).isEqualTo(run.cancelled(now));
    RunEntry open = run.with(RunEntry.State.OPEN, 9, 1, 1, Map.of(), now + 10);
    assertThat(store().update(open)).as("an update that opens it again").isFalse();
    RunEntry settled =
        cancelled.with(RunEntry.State.CANCELLED, 9, 1, 1, Map.of(TaskStatus.CANCELLED, 1L), now);
    assertThat(store().update(settled)).as("its holder's account").isTrue();
    assertThat(store().read("run")).contains(settled);
  }

  @Test
  void cancel_of_an_ended_run_shows_it_and_of_an_unknown_one_nothing() {
    RunEntry run = entry("run", "client", "queue");
    assertThat(store().create(run)).isTrue();
    RunEntry ended = run.with(RunEntry.State.ENDED, 1, 2, 2, Map.of(), run.updatedMillis() + 5);
    assertThat(store().update(ended)).isTrue();

    assertThat(store().cancel("run", run.updatedMillis() + 9)).contains(ended);
    assertThat(store().cancel("unknown", run.updatedMillis())).isEmpty();

    assertThat(store().read("run")).contains(ended);
    assertThat(store().read("unknown")).isEmpty();
  }

  @Test
  void update_of_an_unknown_run_creates_nothing() {
    assertThat(store().update(entry("unknown", "client", "queue"))).isFalse();

    assertThat(store().read("unknown")).isEmpty();
    assertThat(store().list()).isEmpty();
  }

  @Test
  void list_gives_all_runs() {
    assertThat(store().list()).isEmpty();
    RunEntry one = entry("one", "client", "queue 1");
    RunEntry two = entry("two", "client", "queue 2");
    assertThat(store().create(one)).isTrue();
    assertThat(store().create(two)).isTrue();

    assertThat(store().list()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void table_that_does_not_exist_is_named() {
    RunStore missing = fixture().missing().runs();

    assertThatThrownBy(() -> missing.create(entry("run", "client", "queue")))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining(fixture().missing().name());
    assertThatThrownBy(() -> missing.read("run")).isInstanceOf(MissingResourceException.class);
  }
}
