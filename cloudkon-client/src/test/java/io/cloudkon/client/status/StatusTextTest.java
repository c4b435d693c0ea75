package io.cloudkon.client.status;

import static io.cloudkon.client.status.Clusters.NOW;
import static io.cloudkon.client.status.Clusters.NO_HPC;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusTextTest {

  private static String text(RunEntry... runs) {
    return StatusText.of(Clusters.cluster(1, List.of(runs)));
  }

  @Test
  void tables_keep_to_80_columns() {
    assertThat(text(Clusters.run("r".repeat(40))).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void worker_is_told_with_all_that_it_wrote() {
    assertThat(text().lines())
        .contains("Cluster Q: 3 bundles waiting, 2 in progress")
        .contains(
            "WORKER                 ROLE           BUSY  CPU    MEM  TASKS/S     TASKS  SINCE")
        .contains(
            "w000                   worker          4/4  25%  64 MB       57     1,234    3 h")
        .contains("1 worker, 4 of 4 slots busy");
  }

  @Test
  void worker_says_how_many_slots_make_files_ready_and_how() {
    WorkerEntry one = Clusters.staging(Clusters.worker("w1", 3, 0), 1);

    assertThat(StatusText.of(silent(0, one)).lines())
        .contains("  1 of its busy slots prepares files (shipped files are reused)");
  }

  @Test
  void worker_that_others_cannot_call_says_so_and_where() {
    WorkerEntry deaf = Clusters.unreachable(Clusters.worker("w1", 3, 0), "172.17.0.2:7099");

    assertThat(StatusText.of(silent(0, deaf)).lines())
        .contains(
            "  other workers could not call it at 172.17.0.2:7099: it takes no ranks of their HPC"
                + " jobs until one can, and tries again up to once a minute");
  }

  @Test
  void waiting_bundles_of_cancelled_runs_are_told_from_work() {
    String dropped = "What waits belongs to cancelled runs: the next worker drops it";

    assertThat(text(Clusters.run("r1", State.CANCELLED, NOW, 100, 60, 40))).contains(dropped);
    assertThat(text(Clusters.run("r1", State.CANCELLED, NOW, 100, 60, 40), Clusters.run("r2")))
        .doesNotContain(dropped);
    assertThat(text(Clusters.run("r1", State.ENDED, NOW, 100, 60, 100))).doesNotContain(dropped);
  }

  @Test
  void open_run_names_the_client_that_collects_it() {
    assertThat(text(Clusters.run("r1")))
        .contains("r1                       open", "  collected by host, process 7");
  }

  @Test
  void run_whose_client_is_gone_says_how_to_resume() {
    assertThat(text(Clusters.run("r1", State.OPEN, NOW - 3_000, 100, 60, 40)))
        .contains(
            "r1                       open",
            "  its client died or lost its connection 3 s ago; resume with: cloudkon client -s Q"
                + " --resume r1");
  }

  @Test
  void run_whose_client_let_go_is_detached() {
    assertThat(text(Clusters.run("r1", State.OPEN, NOW - 5_000, 100, 60, 40)))
        .contains(
            "r1                       detached",
            "  its client has left it; collect with: cloudkon client -s Q --resume r1");
  }

  @Test
  void cancelled_and_ended_runs_are_called_so() {
    assertThat(
            text(
                Clusters.run("r1", State.CANCELLED, NOW - 5_000, 100, 60, 40),
                Clusters.run("r2", State.ENDED, NOW - 5_000, 100, 100, 100)))
        .contains("r1                       cancelled", "its tasks are no longer started")
        .contains("r2                       ended");
  }

  @Test
  void dead_letters_are_told_with_the_way_to_them() {
    ClusterStatus status =
        new ClusterStatus(
            "Q",
            new QueueDepth(0, 0, 0),
            new QueueDepth(1, 1, 0),
            List.of(),
            0,
            List.of(),
            Map.of(),
            NO_HPC,
            ProvisionerStatus.NONE,
            NOW);

    assertThat(StatusText.of(status))
        .contains("2 dead letters; look at them with: cloudkon dead list -s Q");
  }

  @Test
  void workers_that_fell_silent_are_told_one_or_many() {
    assertThat(StatusText.of(silent(1)))
        .contains("1 worker stopped responding: the bundles that it held wait for another worker");
    assertThat(StatusText.of(silent(2)))
        .contains(
            "2 workers stopped responding: the bundles that they held wait for another worker");
    assertThat(StatusText.of(silent(1, Clusters.worker("w1", 4, 0))))
        .contains("1 worker stopped responding: the bundles that it held run elsewhere");
  }

  @Test
  void worker_that_died_is_news_for_two_minutes() {
    Cluster cluster = new MemoryCloud(new ManualTime()).setup("Q");
    cluster.workers().put(Clusters.worker("lives", 4, 0));
    cluster.workers().put(Clusters.worker("died", 4, 119_000));
    cluster.workers().put(Clusters.worker("died-before", 4, 120_000));

    ClusterStatus status = ClusterStatus.read(cluster, NOW);

    assertThat(status.workers()).extracting(WorkerEntry::id).containsExactly("lives");
    assertThat(status.silentWorkers()).isEqualTo(1);
  }

  private static ClusterStatus silent(int workers, WorkerEntry... live) {
    QueueDepth none = new QueueDepth(0, 0, 0);
    return new ClusterStatus(
        "Q",
        none,
        none,
        List.of(live),
        workers,
        List.of(),
        Map.of(),
        NO_HPC,
        ProvisionerStatus.NONE,
        NOW);
  }

  @Test
  void worker_that_was_not_heard_of_for_a_while_is_marked_before_it_counts_as_dead() {
    String text =
        StatusText.of(silent(0, Clusters.worker("w1", 2, 6_999), Clusters.worker("w2", 4, 12_000)));

    assertThat(text.lines())
        .anyMatch(line -> line.startsWith("w1                     worker          2/4"))
        .anyMatch(line -> line.startsWith("w2                     silent 12 s     4/4"))
        .contains("2 workers, 6 of 8 slots busy; 1 is silent and may have died");
  }

  @Test
  void long_name_of_a_worker_keeps_what_tells_it_from_others() {
    assertThat(StatusText.of(silent(0, Clusters.worker("workload-12-99442c23.1-2f6061", 0, 0))))
        .contains("\n...2-99442c23.1-2f6061 worker ");
  }

  @Test
  void nothing_is_said_of_dead_letters_where_there_are_none() {
    assertThat(text()).doesNotContain("dead");
  }

  @Test
  void cluster_without_workers_and_runs_says_what_to_do() {
    assertThat(StatusText.of(Clusters.cluster(0, List.of())))
        .contains("No worker is alive. Start one with: cloudkon worker -s Q", "No runs.");
  }

  @Test
  void long_lists_are_cut_and_say_so() {
    List<RunEntry> runs = IntStream.range(0, 15).mapToObj(i -> Clusters.run("run" + i)).toList();

    assertThat(StatusText.of(Clusters.cluster(50, runs)))
        .contains("and 10 more workers", "and 5 more runs");
  }

  @Test
  void json_says_how_a_run_stands() {
    assertThat(
            StatusJson.of(
                Clusters.cluster(
                    1, List.of(Clusters.run("r1", State.OPEN, NOW - 5_000, 100, 60, 40)))))
        .contains("\"standing\" : \"DETACHED\"", "\"collected\" : false", "host, process 7");
  }

  @Test
  void run_has_its_name_and_what_workers_say_beneath() {
    RunEntry run =
        Clusters.run("r", RunEntry.State.OPEN, NOW - 5_000, 1_000, 1_000, 357)
            .with(new RunLabel("night sweep", Map.of()))
            .with(new FinishedTasks(603, 4, 0));

    assertThat(StatusText.of(Clusters.cluster(1, List.of(run))).lines())
        .anySatisfy(line -> assertThat(line).matches("r +detached +1,000 +1,000 +~603 +4"))
        .contains("  night sweep");
  }

  @Test
  void runs_whose_client_is_gone_come_first_then_other_open_runs_then_those_that_are_over() {
    List<RunEntry> runs = new ArrayList<>();
    IntStream.range(0, 15)
        .forEach(i -> runs.add(Clusters.run("ended" + i, State.ENDED, NOW, 100, 100, 100)));
    runs.add(Clusters.run("open"));
    runs.add(Clusters.run("left", State.OPEN, NOW - 5_000, 100, 60, 40));
    runs.add(Clusters.run("gone", State.OPEN, NOW - 3_000, 100, 60, 40));

    assertThat(StatusText.runs(Clusters.cluster(1, runs), 4))
        .filteredOn(line -> line.matches("(gone|open|left|ended).*"))
        .extracting(line -> line.replaceFirst(" .*", ""))
        .containsExactly("gone", "open", "left", "ended0");
  }

  @Test
  void runs_whose_client_is_gone_do_not_hide_the_others() {
    List<RunEntry> runs = new ArrayList<>();
    IntStream.range(0, 10)
        .forEach(i -> runs.add(Clusters.run("gone" + i, State.OPEN, NOW - 3_000, 100, 60, 40)));
    IntStream.range(0, 3).forEach(i -> runs.add(Clusters.run("open" + i)));
    IntStream.range(0, 6)
        .forEach(i -> runs.add(Clusters.run("ended" + i, State.ENDED, NOW, 100, 100, 100)));

    assertThat(StatusText.runs(Clusters.cluster(1, runs), 10))
        .filteredOn(line -> line.matches("(gone|open|ended|and).*"))
        .extracting(line -> line.replaceFirst("^([a-z]+[0-9]) .*", "$1"))
        .containsExactly(
            "gone0",
            "gone1",
            "gone2",
            "and 7 more runs whose client is gone; list all open runs with: cloudkon runs -s Q",
            "open0",
            "open1",
            "open2",
            "ended0",
            "ended1",
            "ended2",
            "ended3",
            "and 2 more runs");
    assertThat(StatusText.runs(Clusters.cluster(1, runs), 19))
        .filteredOn(line -> line.startsWith("gone"))
        .hasSize(10);
    assertThat(StatusText.runs(Clusters.cluster(1, runs), 0)).hasSize(3);
  }

  @Test
  void workers_that_need_attention_come_first_and_are_counted() {
    WorkerEntry[] workers =
        IntStream.range(0, 60)
            .mapToObj(i -> Clusters.worker("w%02d".formatted(i), 4, i == 55 ? 12_000 : 0))
            .map(w -> w.id().equals("w57") ? Clusters.noticed(w, "no space left", "") : w)
            .map(w -> w.id().equals("w58") ? Clusters.noticed(w, "", "spot") : w)
            .toArray(WorkerEntry[]::new);

    assertThat(StatusText.workers(silent(0, workers), 4))
        .filteredOn(line -> line.startsWith("w") || line.contains("slots busy"))
        .extracting(line -> line.replaceFirst("(?<=^w..) .*", ""))
        .containsExactly(
            "w55",
            "w57",
            "w58",
            "w00",
            "60 workers, 240 of 240 slots busy; 1 cannot start any task; 1 is silent and may have"
                + " died; 1 about to be shut down");
  }
}
