package io.cloudkon.client.status;

import static io.cloudkon.client.status.Clusters.NOW;
import static io.cloudkon.client.status.Clusters.NO_HPC;
import static io.cloudkon.client.status.Clusters.gang;
import static io.cloudkon.client.status.Clusters.hpc;
import static io.cloudkon.client.status.Clusters.reservation;
import static io.cloudkon.client.status.Clusters.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** HPC jobs in the status: what is read, and how it is said. */
class HpcStatusTest {
  private static final String GANG = "1a2b3c4d-0000-4000-8000-000000000000";

  private static String text(HpcStatus hpc) {
    return StatusText.of(Clusters.cluster(2, List.of(Clusters.run("r1")), hpc));
  }

  private static HpcStatus busy() {
    return hpc(
        1,
        List.of(gang(GANG, 3, "r1/e/7")),
        List.of(waiting("r1/e/8", 8, 65_000), waiting("r1/e/9", 2, 70_000)),
        reservation("r1/e/8", 8, 2, 1));
  }

  @Test
  void cluster_without_jobs_says_nothing_of_them() {
    assertThat(text(NO_HPC)).doesNotContain("HPC", "GANG", "Q-hpc");
    assertThat(
            text(
                new HpcStatus(
                    new QueueDepth(0, 0, 0),
                    new QueueDepth(0, 0, 0),
                    hpc(8, List.of(), List.of(), null).ledger(),
                    "")))
        .doesNotContain("HPC", "GANG");
  }

  @Test
  void gangs_and_jobs_that_wait_are_listed_the_longest_first() {
    assertThat(text(busy()).lines())
        .contains("HPC jobs: 1 in queue, 2 held by workers; 1 of 8 slots in no gang")
        .containsSubsequence(
            "GANG     FIRST JOB                          RANKS MANAGER                  LEASE",
            "1a2b3c4d r1/e/7                                 3 w1                        live",
            "JOB THAT WAITS FOR SLOTS                    RANKS IN THE HANDS OF          SINCE",
            "r1/e/9                                          2 w2                        70 s",
            "r1/e/8                                          8 w2                        65 s",
            "Slots are reserved for job r1/e/8:",
            "  3 of 8 are held: 2 by w1, 1 by w2");
  }

  @Test
  void tables_keep_to_80_columns() {
    String job = "r".repeat(40) + "/0123456789/1234567";
    HpcStatus hpc = hpc(0, List.of(gang(GANG, 4, job)), List.of(waiting(job, 8, 1_000)), null);

    assertThat(text(hpc).lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void ranks_in_the_queue_are_offered() {
    HpcStatus hpc =
        new HpcStatus(new QueueDepth(0, 1, 0), new QueueDepth(2, 1, 0), LedgerView.EMPTY, "");

    assertThat(text(hpc))
        .contains(
            "HPC jobs: 0 in queue, 1 held by workers; no live worker takes them; 3 ranks"
                + " offered\n");
  }

  @Test
  void gang_whose_manager_died_has_no_lease() {
    Share dead = Share.ofGang(GANG, "w9", 2, "r1/e/7", NOW - 5_000);

    assertThat(text(hpc(6, List.of(dead), List.of(), null))).contains("  over\n");
  }

  @Test
  void what_waits_in_dead_hands_is_in_the_queue_and_not_told() {
    Waiting dead = new Waiting("r1/e/8", 8, NOW - 60_000, "w9", NOW - 5_000);

    assertThat(text(hpc(8, List.of(), List.of(dead), null))).doesNotContain("r1/e/8");
  }

  @Test
  void job_that_is_admitted_by_its_reservation_says_so() {
    Reservation admitted = new Reservation("r1/e/8", 8, "w2", true, Map.of("w1", 8), NOW + 10_000);

    assertThat(text(hpc(0, List.of(), List.of(), admitted)))
        .contains(
            "Slots are reserved for job r1/e/8:", "it is admitted, and its gang of 8 is filling");
  }

  @Test
  void long_lists_are_cut_and_say_so() {
    List<Share> gangs =
        IntStream.range(0, 25).mapToObj(i -> gang("g" + i, 1, "r1/e/" + i)).toList();

    assertThat(text(hpc(0, gangs, List.of(), null))).contains("and 5 more gangs");
  }

  @Test
  void json_has_the_same_fields_with_jobs_and_without() throws Exception {
    JsonNode none = json(NO_HPC);
    JsonNode busy = json(busy());

    assertThat(none.fieldNames()).toIterable().containsExactlyElementsOf(busy::fieldNames);
    assertThat(none.get("reservation").isNull()).isTrue();
    assertThat(busy.at("/jobs/waiting").asInt()).isEqualTo(1);
    assertThat(busy.at("/ranks/waiting").asInt()).isZero();
    assertThat(busy.get("slots").asInt()).isEqualTo(8);
    assertThat(busy.get("free").asInt()).isEqualTo(1);
    assertThat(busy.get("reserved").asInt()).isEqualTo(8);
    assertThat(busy.at("/workers/1/id").asText()).isEqualTo("w2");
    assertThat(busy.at("/gangs/0/id").asText()).isEqualTo(GANG);
    assertThat(busy.at("/gangs/0/run").asText()).isEqualTo("r1");
    assertThat(busy.at("/gangs/0/live").asBoolean()).isTrue();
    assertThat(busy.at("/waiting/0/job").asText()).isEqualTo("r1/e/9");
    assertThat(busy.at("/reservation/heldBy/w1").asInt()).isEqualTo(2);
    assertThat(busy.at("/reservation/held").asInt()).isEqualTo(3);
  }

  private static JsonNode json(HpcStatus hpc) throws Exception {
    return new ObjectMapper()
        .readTree(StatusJson.of(Clusters.cluster(2, List.of(), hpc)))
        .get("hpc");
  }

  @Test
  void ledger_and_queues_are_read() {
    ManualTime time = new ManualTime();
    Cluster cluster = new MemoryCloud(time).setup("Q");
    long live = time.serviceMillis() + 15_000;
    CapacityLedger ledger = cluster.hpc().ledger();
    assertThat(ledger.change(new LedgerChange.Join("t1", Share.ofWorker("w1", 4, live)))).isTrue();
    Share gang = Share.ofGang("g1", "w1", 3, "r1/e/7", live);
    assertThat(ledger.change(new LedgerChange.Admit("t2", List.of(gang), 0))).isTrue();

    HpcStatus read = ClusterStatus.read(cluster, time.serviceMillis()).hpc();

    assertThat(read.free()).isEqualTo(1);
    assertThat(read.slots(time.serviceMillis())).isEqualTo(4);
    assertThat(read.gangs()).containsExactly(gang);
    assertThat(read.quiet()).isFalse();
  }

  @Test
  void cluster_of_an_older_version_is_told_how_to_get_what_it_lacks() {
    Cluster cluster = new MemoryCloud(new ManualTime()).setup("Q");
    CapacityLedger none =
        (CapacityLedger)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CapacityLedger.class},
                (proxy, method, args) -> {
                  throw new MissingResourceException("table", "Q-ledger", null);
                });

    HpcStatus read =
        HpcStatus.read(new Cluster.Hpc(cluster.hpc().jobs(), cluster.hpc().ranks(), none));

    assertThat(read.missing()).isEqualTo("Q-ledger");
    assertThat(text(read))
        .contains(
            "'Q-ledger' does not exist, so HPC jobs cannot run; add it with: cloudkon setup -s Q");
  }
}
