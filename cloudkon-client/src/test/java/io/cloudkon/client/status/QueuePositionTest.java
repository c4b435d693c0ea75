package io.cloudkon.client.status;

import static io.cloudkon.client.status.Clusters.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.core.port.SlotTimes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueuePositionTest {
  private static RunEntry run(
      String id,
      State state,
      @Nullable Priority priority,
      long tasks,
      long sent,
      long finished,
      long age) {
    return new RunEntry(
        id,
        "e",
        state,
        Consistency.EXACTLY_ONCE,
        "Q-response-c",
        "c",
        "host, process 7",
        NOW + 10_000,
        "",
        tasks,
        sent,
        Map.of(TaskStatus.SUCCEEDED, finished),
        new RemainingWork(32, 10_000, 0, 0, Set.of(Work.Kind.SLEEP), Optional.ofNullable(priority)),
        NOW - age,
        NOW - 1_000);
  }

  private static RunEntry open(
      String id, @Nullable Priority priority, long tasks, long sent, long finished, long age) {
    return run(id, State.OPEN, priority, tasks, sent, finished, age);
  }

  /** As its workers have counted, although nobody has collected its results. */
  @Test
  void detached_run_that_has_finished_is_not_ahead_of_anybody() {
    RunEntry old =
        Clusters.run("old", State.OPEN, NOW - 60_000, 2, 2, 0).with(new FinishedTasks(2, 0, 0));
    assertThat(text(old, open("new", null, 3, 3, 0, 10_000))).doesNotContain("waits behind");
  }

  private static String text(RunEntry... runs) {
    return StatusText.of(Clusters.cluster(1, List.of(runs)));
  }

  @Test
  void client_of_a_fair_cluster_says_what_it_keeps_in_the_queue_and_what_it_holds_back() {
    assertThat(text(open("r1", Priority.NORMAL, 1_000_000, 2_000, 1_200, 60_000)).lines())
        .contains(
            "  collected by host, process 7",
            "  normal priority, 100% of the slots; 2.0 s of work sent; 998,000 held back");
  }

  @Test
  void jobs_that_a_client_holds_back_are_not_among_the_work_that_it_has_sent() {
    RunEntry run = open("r1", Priority.NORMAL, 1_000, 800, 0, 60_000);
    RemainingWork mixed =
        new RemainingWork(
            32,
            new SlotTimes(10_000, 3600e6),
            200,
            4,
            Set.of(Work.Kind.SLEEP),
            Optional.of(Priority.NORMAL),
            true);

    assertThat(text(run.with(mixed))).contains("2.0 s of work sent; 200 held back");
  }

  @Test
  void clients_of_a_fair_cluster_share_the_slots_by_their_priorities() {
    String text =
        text(
            open("r1", Priority.NORMAL, 1_000_000, 2_000, 1_200, 60_000),
            open("r2", Priority.LOW, 100, 20, 0, 50_000),
            open("r3", Priority.HIGH, 100, 100, 20, 40_000),
            run("over", State.ENDED, Priority.HIGH, 5, 5, 5, 30_000));

    assertThat(text)
        .contains("normal priority, 19% of the slots; 2.0 s of work sent; 998,000 held back")
        .contains("low priority, 5% of the slots; 0.1 s of work sent; 80 held back")
        .contains("high priority, 76% of the slots; 0.2 s of work sent; 0 held back")
        .doesNotContain("waits behind");
  }

  @Test
  void run_waits_behind_what_an_older_one_has_sent() {
    String text =
        text(
            open("mine", null, 100, 100, 0, 10_000),
            open("much", null, 1_000_000, 1_000_000, 2_000, 60_000));

    assertThat(text).containsOnlyOnce("waits behind");
    assertThat(text).contains("  waits behind 998,000 tasks of run much");
    assertThat(text.indexOf("waits behind")).isLessThan(text.lastIndexOf("much  "));
  }

  @Test
  void several_older_runs_are_summed_up() {
    assertThat(
            text(
                open("mine", null, 100, 100, 0, 10_000),
                open("some", null, 300, 200, 100, 20_000),
                open("much", null, 1_000, 1_000, 100, 60_000),
                open("later", null, 500, 500, 0, 5_000)))
        .contains("  waits behind 1,000 tasks of 2 older runs, most of much")
        .contains("  waits behind 1,100 tasks of 3 older runs, most of much");
  }

  @Test
  void client_of_a_fair_cluster_waits_behind_runs_from_before_it_was_fair() {
    assertThat(
            text(
                open("mine", Priority.NORMAL, 100, 50, 0, 10_000),
                open("much", null, 1_000, 1_000, 100, 60_000)))
        .contains("normal priority, 100% of the slots")
        .contains("  waits behind 900 tasks of run much");
  }

  @Test
  void runs_that_are_over_wait_for_nobody_and_hold_up_nobody() {
    assertThat(
            text(
                run("cancelled", State.CANCELLED, null, 100, 100, 0, 90_000),
                run("ended", State.ENDED, Priority.NORMAL, 100, 100, 100, 90_000),
                open("done", null, 100, 100, 100, 90_000),
                open("mine", null, 100, 100, 0, 10_000)))
        .doesNotContain("waits behind")
        .doesNotContain("priority");
  }

  @Test
  void tasks_stand_for_seconds_while_nobody_knows_how_long_they_take() {
    RunEntry run = open("r1", Priority.HIGH, 1_000, 4, 0, 10_000);

    assertThat(text(run.with(RemainingWork.UNKNOWN.with(Optional.of(Priority.HIGH)))))
        .contains("high priority, 100% of the slots; 4 tasks sent; 996 held back");
  }

  @Test
  void lines_keep_to_80_columns() {
    assertThat(
            text(
                    open("r".repeat(40), Priority.NORMAL, 999_999_999, 2_000, 0, 60_000),
                    open("s".repeat(40), null, 999_999_999, 999_999_999, 0, 70_000),
                    open("t".repeat(40), null, 100, 100, 0, 90_000))
                .lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void json_has_the_same() throws Exception {
    JsonNode runs =
        new ObjectMapper()
            .readTree(
                StatusJson.of(
                    Clusters.cluster(
                        1,
                        List.of(
                            open("r1", Priority.NORMAL, 1_000_000, 2_000, 1_200, 60_000),
                            open("r2", null, 10, 10, 0, 50_000),
                            open("r3", null, 10, 10, 0, 40_000),
                            run("r4", State.ENDED, null, 1, 1, 1, 9_000)))))
            .get("runs");

    assertThat(runs.at("/0/queue/priority").asText()).isEqualTo("normal");
    assertThat(runs.at("/0/queue/share").asDouble()).isEqualTo(1);
    assertThat(runs.at("/0/queue/sent").asLong()).isEqualTo(800);
    assertThat(runs.at("/0/queue/sentSeconds").asDouble()).isEqualTo(2);
    assertThat(runs.at("/0/queue/heldBack").asLong()).isEqualTo(998_000);
    assertThat(runs.at("/1/queue/priority").isNull()).isTrue();
    assertThat(runs.at("/1/queue/ahead").asLong()).isZero();
    assertThat(runs.at("/2/queue/ahead").asLong()).isEqualTo(10);
    assertThat(runs.at("/2/queue/olderRuns").asInt()).isEqualTo(1);
    assertThat(runs.at("/3/queue").isNull()).isTrue();
  }
}
