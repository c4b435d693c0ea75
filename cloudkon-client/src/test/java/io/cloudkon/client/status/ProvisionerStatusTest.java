package io.cloudkon.client.status;

import static io.cloudkon.client.status.Clusters.NOW;
import static io.cloudkon.client.status.Clusters.NO_HPC;
import static io.cloudkon.client.status.Clusters.provisioner;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The provisioner, and what it launched, in the status. */
class ProvisionerStatusTest {
  private static final WorkerTakes ONLY_SLEEP =
      new WorkerTakes(Set.of(Work.Kind.SLEEP), true, false);
  private static final Set<Work.Kind> EXEC = Set.of(Work.Kind.EXEC);

  private static String text(int workers, ProvisionerStatus provisioner) {
    return StatusText.of(Clusters.with(Clusters.cluster(workers, List.of()), provisioner));
  }

  @Test
  void provisioner_at_work_says_what_it_wants_why_and_what_that_costs() {
    assertThat(text(1, provisioner(2, "1,500 tasks of 20 ms need 3 workers")).lines())
        .containsSubsequence(
            "Provisioner box, process 9: 3 workers wanted, 1 live, 2 workers have been booting for"
                + " 40 s",
            "  1,500 tasks of 20 ms need 3 workers",
            "  its workers cost $0.270 an hour, $1.50 since it began 40 min ago",
            "  launches that failed: capacity (2)");
    assertThat(text(1, provisioner(1, "")))
        .contains("1 live, 1 worker has been booting for 40 s\n");
    assertThat(text(1, provisioner(0, ""))).contains("3 workers wanted, 1 live\n");
  }

  @Test
  void workers_that_live_are_those_of_the_table_whatever_the_provisioner_saw_last() {
    assertThat(text(3, provisioner(0, ""))).contains("3 workers wanted, 3 live\n", "\n3 workers, ");
    assertThat(text(0, provisioner(0, "")))
        .contains("3 workers wanted, 0 live\n", "\nNo worker is alive.\n");
  }

  @Test
  void provisioner_that_was_not_heard_of_for_a_while_says_how_old_its_words_are() {
    ProvisionerStatus fresh = provisioner(0, "");
    ProvisionerStatus late = new ProvisionerStatus(fresh.entry(), NOW + 8_000);

    assertThat(text(1, late)).contains("Provisioner box, process 9, silent for 9 s: 3 workers");
    assertThat(ProvisionerText.backlog(late, 1))
        .containsExactly(
            "The provisioner (box, process 9, silent for 9 s) wants 3 workers, and 1 is alive.");
    assertThat(text(1, fresh)).doesNotContain("silent");
  }

  @Test
  void reason_is_a_sentence_on_its_own_line_and_a_clause_behind_a_colon() {
    ProvisionerStatus waits = provisioner(0, "a job of 6 ranks needs 3 workers at once");

    assertThat(text(0, waits)).contains("\n  A job of 6 ranks needs 3 workers at once\n");
    assertThat(ProvisionerText.backlog(waits, 0))
        .containsExactly(
            "The provisioner (box, process 9) wants 3 workers, and 0 are alive: a job of 6 ranks"
                + " needs 3 workers at once.");
  }

  @Test
  void nobody_is_told_to_start_a_worker_while_one_boots_or_will() {
    assertThat(text(0, provisioner(2, "")))
        .contains("No worker is alive; 2 workers have been booting for 40 s\n")
        .doesNotContainIgnoringCase("start one");
    assertThat(text(0, provisioner(0, "back-off for 20 s")))
        .contains("  Back-off for 20 s\n", "No worker is alive.\n")
        .doesNotContainIgnoringCase("start one");
    assertThat(ProvisionerText.help(provisioner(0, ""), "Q", EXEC, false))
        .isEqualTo("the provisioner (box, process 9) launches workers when it finds work");
  }

  @Test
  void provisioner_that_died_is_told_and_one_that_stopped_is_not() {
    WorkerTakes all = WorkerTakes.ALL;

    assertThat(text(0, provisioner(2, "why", all, NOW - 500)))
        .contains("Provisioner box, process 9 stopped responding 0 s ago: no workers are launched")
        .contains("No worker is alive. Start one with: cloudkon worker -s Q")
        .doesNotContain("boot", "why");
    assertThat(text(0, provisioner(2, "why", all, NOW - 1_000)))
        .doesNotContain("rovisioner", "boot");
    assertThat(text(0, ProvisionerStatus.NONE)).doesNotContain("rovisioner");
  }

  @Test
  void work_that_launched_workers_do_not_take_waits_for_others() {
    ProvisionerStatus narrow = provisioner(1, "", ONLY_SLEEP, NOW + 10_000);

    assertThat(ProvisionerText.help(narrow, "Q", EXEC, false))
        .isEqualTo(
            "the provisioner (box, process 9) launches no worker that runs exec (provisioner"
                + " --worker-allow); start one with: cloudkon worker -s Q");
    assertThat(ProvisionerText.help(narrow, "Q", Set.of(Work.Kind.SLEEP), false))
        .isEqualTo("1 worker has been booting for 40 s");
    assertThat(ProvisionerText.help(narrow, "Q", Set.of(), true))
        .contains("launches no worker that takes HPC jobs (provisioner --worker-roles); start one");
    assertThat(narrow.slotsForJobs()).isZero();
    assertThat(provisioner(0, "").slotsForJobs()).isEqualTo(8);
  }

  private static WorkerEntry worker(String type, String lifeCycle, String notice) {
    WorkerEntry known = Clusters.worker("w1", 4, 0);
    return new WorkerEntry(
        known.id(),
        known.host(),
        new WorkerOrigin("launch-1", "i-1", type, lifeCycle),
        known.takes(),
        known.role(),
        notice,
        known.slots(),
        known.busy(),
        known.cpu(),
        known.memoryBytes(),
        known.tasksDone(),
        known.tasksPerSecond(),
        known.sinceMillis(),
        known.updatedMillis());
  }

  private static ClusterStatus of(WorkerEntry... workers) {
    QueueDepth none = new QueueDepth(0, 0, 0);
    return new ClusterStatus(
        "Q",
        none,
        none,
        List.of(workers),
        0,
        List.of(),
        Map.of(),
        NO_HPC,
        ProvisionerStatus.NONE,
        NOW);
  }

  @Test
  void worker_says_its_type_and_that_its_machine_is_to_leave() {
    assertThat(StatusText.of(of(worker("c7i.large", "spot", "interruption"))).lines())
        .anyMatch(line -> line.endsWith("  SINCE  TYPE"))
        .anyMatch(line -> line.startsWith("w1") && line.endsWith("3 h  c7i.large, spot"))
        .contains("  its machine is about to be shut down: interruption");
    assertThat(StatusText.of(of(worker("", "", "")))).doesNotContain("TYPE", "shut down");
  }

  @Test
  void cluster_says_what_its_machines_cost_an_hour_as_far_as_is_known() {
    assertThat(
            StatusText.of(
                of(
                    worker("c7i.large", "on-demand", ""),
                    worker("c7i.large", "on-demand", ""),
                    worker("c99.huge", "on-demand", ""),
                    worker("", "", ""))))
        .contains(
            "4 workers, 16 of 16 slots busy; $0.179 an hour without 1 worker of type c99.huge,"
                + " whose price is not known\n");
    assertThat(StatusText.of(of(worker("c7i.large", "spot", ""))))
        .contains("slots busy; at most $0.0893 an hour\n");
    assertThat(StatusText.of(of(worker("c99.huge", "spot", ""), worker("d99.huge", "spot", ""))))
        .contains("slots busy; the price of c99.huge, d99.huge is not known\n");
    assertThat(StatusText.of(of(worker("process", "", "")))).doesNotContain("an hour");
  }

  @Test
  void json_has_the_provisioner_and_where_workers_come_from() throws Exception {
    ClusterStatus status =
        Clusters.with(of(worker("c7i.large", "spot", "rebalance")), provisioner(2, "why"));
    JsonNode json = new ObjectMapper().readTree(StatusJson.of(status));

    assertThat(json.at("/provisioner/host").asText()).isEqualTo("box, process 9");
    assertThat(json.at("/provisioner/live").asBoolean()).isTrue();
    assertThat(json.at("/provisioner/wanted").asInt()).isEqualTo(3);
    assertThat(json.at("/provisioner/booting").asInt()).isEqualTo(2);
    assertThat(json.at("/provisioner/bootingSince").asText()).isEqualTo("2025-12-31T23:59:20Z");
    assertThat(json.at("/provisioner/failures/capacity").asInt()).isEqualTo(2);
    assertThat(json.at("/usdPerHour").asDouble()).isEqualTo(0.08925);
    assertThat(json.at("/unpricedWorkers").asInt()).isZero();
    assertThat(json.at("/provisioner/spentSince").asText()).isEqualTo("2025-12-31T23:20:00Z");
    assertThat(json.at("/workers/0/type").asText()).isEqualTo("c7i.large");
    assertThat(json.at("/workers/0/lifeCycle").asText()).isEqualTo("spot");
    assertThat(json.at("/workers/0/launch").asText()).isEqualTo("launch-1");
    assertThat(json.at("/workers/0/notice").asText()).isEqualTo("rebalance");
    assertThat(new ObjectMapper().readTree(StatusJson.of(of())).at("/provisioner").isNull())
        .isTrue();
  }

  @Test
  void status_reads_the_provisioner_and_does_without_a_table_that_an_older_setup_lacks() {
    ManualTime time = new ManualTime();
    MemoryCloud cloud = new MemoryCloud(time);
    cloud.setup("Q");
    Cluster cluster = cloud.cluster("Q");
    var entry = provisioner(1, "why").live().orElseThrow();
    assertThat(cluster.decisions().take(entry, Optional.empty())).isTrue();

    assertThat(ClusterStatus.read(cluster, NOW).provisioner().live()).contains(entry);
    assertThat(ProvisionerStatus.read(missing(), NOW)).isEqualTo(ProvisionerStatus.NONE);
  }

  private static DecisionStore missing() {
    return (DecisionStore)
        Proxy.newProxyInstance(
            DecisionStore.class.getClassLoader(),
            new Class<?>[] {DecisionStore.class},
            (proxy, method, arguments) -> {
              throw new MissingResourceException("table", "Q-decisions", null);
            });
  }
}
