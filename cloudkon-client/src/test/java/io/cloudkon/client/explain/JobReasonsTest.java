package io.cloudkon.client.explain;

import static io.cloudkon.client.status.Clusters.NOW;
import static io.cloudkon.client.status.Clusters.NO_HPC;
import static io.cloudkon.client.status.Clusters.gang;
import static io.cloudkon.client.status.Clusters.hpc;
import static io.cloudkon.client.status.Clusters.provisioner;
import static io.cloudkon.client.status.Clusters.reservation;
import static io.cloudkon.client.status.Clusters.run;
import static io.cloudkon.client.status.Clusters.unreachable;
import static io.cloudkon.client.status.Clusters.waiting;
import static io.cloudkon.client.status.Clusters.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.explain.TaskFacts.Bundled;
import io.cloudkon.client.explain.TaskFacts.Holder;
import io.cloudkon.client.status.Clusters;
import io.cloudkon.client.status.HpcStatus;
import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Facts in, words out, for HPC jobs; of most of them job r1/e/4 of 6 ranks. */
class JobReasonsTest {
  private static final String JOB = "r1/e/4";
  private static final String GANG = "1a2b3c4d-0000-4000-8000-000000000000";
  private static final RunEntry SENT = run("r1", State.OPEN, NOW + 10_000, 100, 100, 40);
  private static final List<WorkerEntry> WORKERS =
      List.of(worker("w1", "manager", 3, 0), worker("w2", "sub-worker", 4, 0));
  private static final HpcStatus FREE = hpc(8, List.of(), List.of(), null);

  private static RunSnapshot facts(RunEntry run, List<WorkerEntry> workers, HpcStatus hpc) {
    return new RunSnapshot(
        "Q",
        run,
        new QueueDepth(0, 0, 0),
        workers,
        List.of(),
        List.of(),
        hpc,
        ProvisionerStatus.NONE,
        NOW);
  }

  private static String job(HpcStatus hpc, @Nullable Claim claim) {
    return job(facts(SENT, WORKERS, hpc), claim, 6);
  }

  private static String job(RunSnapshot facts, @Nullable Claim claim, int ranks) {
    Bundled bundle =
        new Bundled(
            1,
            (NOW - 90_000) * 1000,
            ClaimScope.BUNDLE,
            List.of(new Holder(JOB, 0, true, claim)),
            ranks);
    List<String> lines = Explanation.of(facts, new TaskFacts("solve", 41, 100, 60, null, bundle));
    assertThat(lines).noneMatch(line -> line.contains("\n"));
    return String.join("\n", lines);
  }

  private static Claim claim(ClaimState state, long leaseEnd, int attempt, boolean started) {
    return new Claim(
        JOB,
        state,
        "w1",
        "n",
        attempt,
        3,
        0,
        leaseEnd,
        started ? Positions.of(0) : Positions.none(),
        Positions.none(),
        new TreeMap<>(),
        0);
  }

  private static HpcStatus offered(long ranks, HpcStatus of) {
    return new HpcStatus(of.jobs(), new QueueDepth(ranks, 0, 0), of.ledger(), "");
  }

  // ---- in the queue

  @Test
  void job_that_nobody_says_to_have_is_in_the_queue() {
    assertThat(job(FREE, null))
        .contains(
            "in bundle r1/e/4, an HPC job of 6 ranks.",
            "No worker reports that it has it: it is waiting in queue Q-hpc",
            "Across all runs, 1 job is waiting in queue Q-hpc, and workers hold 2;")
        .doesNotContain("look-ahead", "at-least-once");
  }

  @Test
  void job_of_an_at_least_once_run_has_a_claim_all_the_same() {
    RunSnapshot facts = facts(Clusters.with(SENT, Consistency.AT_LEAST_ONCE), WORKERS, FREE);

    assertThat(job(facts, null, 6)).contains("queue Q-hpc").doesNotContain("no claims");
    assertThat(job(facts, claim(ClaimState.LEASED, NOW + 10_000, 1, false), 6))
        .contains("Worker w1 manages it: attempt 1");
  }

  @Test
  void nobody_with_the_role_takes_it() {
    HpcStatus nobody =
        new HpcStatus(new QueueDepth(1, 0, 0), new QueueDepth(0, 0, 0), LedgerView.EMPTY, "");

    assertThat(job(nobody, null))
        .contains(
            "No worker has received it",
            "No live worker takes HPC jobs (worker --roles); start one that does with:"
                + " cloudkon worker -s Q.");
    assertThat(job(facts(SENT, List.of(), nobody), null, 6))
        .contains("No worker is alive; start one with: cloudkon worker -s Q, or");
  }

  @Test
  void cluster_without_a_ledger_says_how_to_get_one() {
    HpcStatus old =
        new HpcStatus(
            new QueueDepth(0, 0, 0), new QueueDepth(0, 0, 0), LedgerView.EMPTY, "Q-ledger");

    assertThat(job(old, null)).contains("'Q-ledger' does not exist", "cloudkon setup -s Q.");
  }

  // ---- waiting

  @Test
  void job_that_waits_says_what_it_lacks_and_who_has_it() {
    HpcStatus hpc =
        hpc(5, List.of(gang(GANG, 3, "r2/e/9")), List.of(waiting(JOB, 6, 25_000)), null);

    assertThat(job(hpc, null))
        .contains(
            "Worker w2 has received it. It needs 6 slots at the same time and has been waiting"
                + " since ",
            " (25 s).",
            "5 of 8 slots are in no gang; the job needs 1 more.",
            "Slots by worker: w1 4, w2 4.",
            "Slots by gang: 1a2b3c4d 3 (manager w1, first job r2/e/9).",
            "If it is still waiting after another 35 s and no job has waited longer, slots that"
                + " become free are reserved for it: the patience is 60 s (worker"
                + " --gang-patience).");
  }

  @Test
  void slots_that_tasks_run_on_are_enough_and_not_free() {
    assertThat(job(hpc(8, List.of(), List.of(waiting(JOB, 6, 25_000)), null), null))
        .contains("8 of 8 slots are in no gang: enough, unless tasks are running on them.")
        .doesNotContain("Slots by gang:");
  }

  @Test
  void patience_that_is_over_says_so() {
    assertThat(job(hpc(5, List.of(), List.of(waiting(JOB, 6, 61_000)), null), null))
        .contains("The patience (60 s by default) is over");
  }

  @Test
  void slots_are_kept_for_it() {
    HpcStatus hpc = hpc(5, List.of(), List.of(waiting(JOB, 6, 61_000)), reservation(JOB, 6, 2, 1));

    assertThat(job(hpc, null))
        .contains("Slots that become free are reserved for it: 3 of 6 are held: 2 by w1, 1 by w2.")
        .doesNotContain("reserved for job");
  }

  @Test
  void slots_are_kept_for_another_job() {
    HpcStatus hpc =
        hpc(7, List.of(), List.of(waiting(JOB, 6, 61_000)), reservation("r2/e/9", 4, 0, 0));

    assertThat(job(hpc, null))
        .contains(
            "7 of 8 slots are in no gang, 4 of them reserved for job r2/e/9; the job needs 3 more.",
            "Slots that become free are reserved for job r2/e/9, then for the job that has waited"
                + " longest: 0 of 4 are held.");
  }

  @Test
  void no_more_slots_are_missing_than_a_job_has_ranks() {
    List<Waiting> waits = List.of(waiting(JOB, 2, 61_000));
    Reservation other = reservation("r2/e/9", 4, 0, 0);

    assertThat(job(facts(SENT, WORKERS, hpc(1, List.of(), waits, other)), null, 2))
        .contains(
            "1 of 8 slots is in no gang and is reserved for job r2/e/9; the job needs 2 more.",
            "Slots that become free are reserved for job r2/e/9, then for the job that has waited"
                + " longest");
    assertThat(job(facts(SENT, WORKERS, hpc(3, List.of(), waits, other)), null, 2))
        .contains(
            "3 of 8 slots are in no gang, all of them reserved for job r2/e/9; the job needs 2"
                + " more.");
    assertThat(job(facts(SENT, WORKERS, hpc(0, List.of(), waits, other)), null, 2))
        .contains("0 of 8 slots are in no gang; the job needs 2 more.");
    assertThat(job(facts(SENT, WORKERS, hpc(6, List.of(), waits, other)), null, 2))
        .contains("6 of 8 slots are in no gang, 4 of them reserved for job r2/e/9: enough, unless");
  }

  @Test
  void more_ranks_than_live_workers_have_slots_are_no_loss_where_enough_may_be_launched() {
    HpcStatus small =
        new HpcStatus(
            new QueueDepth(1, 0, 0),
            new QueueDepth(0, 0, 0),
            hpc(8, List.of(), List.of(), null).ledger(),
            "");
    RunSnapshot facts = facts(SENT, WORKERS, small);
    RunSnapshot launching = launching(facts, provisioner(2, ""));

    assertThat(job(launching(facts(SENT, List.of(), NO_HPC), provisioner(2, "")), null, 8))
        .contains("No live worker takes HPC jobs; 2 workers have been booting for 40 s.")
        .doesNotContain("start one");
    assertThat(job(launching, null, 12))
        .contains(
            "have 8 slots in total, or at most 8 slots with the workers that the provisioner may"
                + " launch (--max 4, --worker-slots 2): unless its worker");
    ProvisionerStatus larger =
        provisioner(
            new ProvisionerEntry.Settings("process", 0, 8, 2, WorkerTakes.ALL),
            2,
            "",
            NOW + 10_000);
    assertThat(job(launching(facts, larger), null, 12))
        .contains("have 8 slots in total; 2 workers have been booting for 40 s.")
        .doesNotContain("FAILED");
  }

  @Test
  void fleet_that_max_hourly_bounds_is_not_explained_by_the_other_options_alone() {
    ProvisionerEntry of = provisioner(0, "").entry();
    ProvisionerEntry.Fleet seen = new ProvisionerEntry.Fleet(1, 1, 0, 0, "", Map.of(), 1, 1, 6);
    ProvisionerEntry bounded =
        new ProvisionerEntry(
            of.holder(), of.host(), of.leaseEnd(), of.settings(), 3, 2, seen, of.updatedMillis());
    RunSnapshot facts = facts(SENT, WORKERS, hpc(8, List.of(), List.of(), null));

    assertThat(job(launching(facts, new ProvisionerStatus(bounded, NOW)), null, 12))
        .contains("may launch (--max 4, --worker-slots 2 and --max-hourly): unless its worker");
  }

  @Test
  void fleet_whose_launches_are_refused_is_explained_by_the_refusal_and_not_by_its_options() {
    ProvisionerEntry of = provisioner(0, "").entry();
    ProvisionerEntry.Fleet seen =
        new ProvisionerEntry.Fleet(
            1, 1, 0, 0, "", Map.of(), 1, 1, 8, "VcpuLimitExceeded: 32 vCPU", 0);
    ProvisionerEntry refused =
        new ProvisionerEntry(
            of.holder(), of.host(), of.leaseEnd(), of.settings(), 3, 2, seen, of.updatedMillis());
    RunSnapshot facts = facts(SENT, WORKERS, hpc(8, List.of(), List.of(), null));

    assertThat(job(launching(facts, new ProvisionerStatus(refused, NOW)), null, 12))
        .contains(
            "have 8 slots in total, or at most 8 slots with those that are booting, and the"
                + " launcher has refused more workers for too long (VcpuLimitExceeded: 32 vCPU):"
                + " unless its worker")
        .doesNotContain("--max 4");
  }

  private static RunSnapshot launching(RunSnapshot facts, ProvisionerStatus provisioner) {
    return new RunSnapshot(
        facts.cluster(),
        facts.run(),
        facts.queue(),
        facts.workers(),
        facts.silent(),
        facts.dead(),
        facts.hpc(),
        provisioner,
        facts.nowMillis());
  }

  @Test
  void more_ranks_than_live_workers_have_slots() {
    HpcStatus hpc = hpc(8, List.of(), List.of(waiting(JOB, 12, 5_000)), null);

    assertThat(job(facts(SENT, WORKERS, hpc), null, 12))
        .contains(
            "It has 12 ranks, but the live workers that take HPC jobs have 8 slots in total: unless"
                + " its worker was started with --max-ranks 12 or more, it becomes FAILED after"
                + " live workers have had too few slots for about 20 s.")
        .doesNotContain("atience");
  }

  // ---- admitted

  @Test
  void gang_that_fills_says_how_many_ranks_look_for_a_slot() {
    HpcStatus hpc = hpc(2, List.of(gang(GANG, 6, JOB)), List.of(), null);

    assertThat(job(offered(2, hpc), claim(ClaimState.LEASED, NOW + 10_000, 1, false)))
        .contains(
            "Worker w1 manages it: attempt 1, lease until ",
            "Gang 1a2b3c4d was formed for it: it has 6 ranks and is filling or running.",
            "Across all gangs, 2 ranks are waiting in queue Q-ranks for a slot",
            "Workers that serve gangs: w1 (3 of 4 slots busy), w2 (4 of 4 slots busy).");
  }

  @Test
  void workers_that_others_cannot_call_are_named_where_slots_are_missing() {
    List<WorkerEntry> workers =
        List.of(
            worker("w1", "manager", 3, 0),
            unreachable(worker("w2", "worker", 4, 0), "172.17.0.2:7099"));
    HpcStatus waits = hpc(5, List.of(), List.of(waiting(JOB, 6, 25_000)), null);
    HpcStatus fills = hpc(2, List.of(gang(GANG, 6, JOB)), List.of(), null);
    String named =
        "Workers that others could not call, which take no ranks of others' jobs until one can, and"
            + " try again up to once a minute: w2 at 172.17.0.2:7099. Open their ports to all"
            + " workers, or start them with an address that others reach (--rmi-address).";

    assertThat(job(facts(SENT, workers, waits), null, 6)).contains(named);
    assertThat(
            job(
                facts(SENT, workers, offered(2, fills)),
                claim(ClaimState.LEASED, NOW + 10_000, 1, false),
                6))
        .contains(named);
    assertThat(job(waits, null)).doesNotContain("cannot call");
  }

  @Test
  void gang_that_stands_serves_it() {
    HpcStatus hpc = hpc(2, List.of(gang(GANG, 6, "r1/e/3")), List.of(), null);

    assertThat(job(hpc, claim(ClaimState.LEASED, NOW + 10_000, 1, false)))
        .contains(
            "on gang 1a2b3c4d of that worker, which was formed for job r1/e/3",
            "No rank is waiting in queue Q-ranks for a slot: its gang is full or about to be");
  }

  @Test
  void job_whose_start_is_recorded_runs() {
    HpcStatus hpc = hpc(2, List.of(gang(GANG, 6, JOB)), List.of(), null);

    assertThat(job(hpc, claim(ClaimState.LEASED, NOW + 10_000, 1, true)))
        .contains("Its 6 ranks have started.", "Workers that serve gangs: w1")
        .doesNotContain("Q-ranks");
  }

  @Test
  void job_that_is_admitted_and_not_claimed_yet_is_no_longer_waiting() {
    Reservation admitted = new Reservation(JOB, 6, "w2", true, Map.of(), NOW + 10_000);

    assertThat(job(hpc(2, List.of(gang(GANG, 6, JOB)), List.of(), null), null))
        .contains("It is admitted: worker w1 manages its gang of 6 ranks.");
    assertThat(job(hpc(2, List.of(), List.of(), admitted), null)).contains("It is admitted.");
  }

  @Test
  void job_that_is_tried_again_waits_with_its_claim() {
    HpcStatus hpc = hpc(2, List.of(), List.of(waiting(JOB, 6, 5_000)), null);

    assertThat(job(hpc, claim(ClaimState.LEASED, NOW + 10_000, 1, false)))
        .contains(
            "It was tried before and is waiting to be tried again.",
            "It needs 6 slots at the same time");
  }

  // ---- deaths

  @Test
  void attempts_that_ended_with_a_worker_are_counted() {
    assertThat(job(FREE, claim(ClaimState.RELEASED, NOW - 5_000, 2, false)))
        .contains("2 attempts ended because a worker died; after 5 such attempts it is FAILED")
        .doesNotContain("drained");
    assertThat(job(FREE, claim(ClaimState.LEASED, NOW + 5_000, 1, false)))
        .doesNotContain("ended because a worker died");
  }

  @Test
  void job_whose_manager_died_is_taken_over() {
    assertThat(job(FREE, claim(ClaimState.LEASED, NOW - 30_000, 3, false)))
        .contains("did not renew the lease", "takes it over.")
        .doesNotContain("one at a time");
  }

  @Test
  void job_that_is_lost_has_no_child() {
    assertThat(job(FREE, claim(ClaimState.LOSING, NOW + 5_000, 2, true)))
        .contains("Its worker died. Worker w1 reports it as LOST.");
  }

  // ---- runs

  @Test
  void run_of_jobs_only_says_what_they_wait_for() {
    HpcStatus hpc =
        hpc(
            5,
            List.of(gang(GANG, 3, "r1/e/1"), gang("other", 1, "r2/e/1")),
            List.of(waiting(JOB, 6, 25_000), waiting("r10/e/1", 8, 50_000)),
            null);

    assertThat(String.join("\n", Explanation.of(facts(SENT, WORKERS, hpc))))
        .contains(
            "Across all runs, 1 job is waiting in queue Q-hpc",
            "1 gang was formed for its jobs, with 3 ranks in total; managers: w1.",
            "1 job of this run is waiting for slots; the one that has waited longest, r1/e/4, needs"
                + " 6 slots at the same time and has been waiting for 25 s.",
            "5 of 8 slots are in no gang; the job needs 1 more.")
        .doesNotContain("No bundle is left", "No slot is busy", "r10/e/1");
  }

  @Test
  void run_of_tasks_says_nothing_of_jobs() {
    assertThat(String.join("\n", Explanation.of(facts(SENT, WORKERS, NO_HPC))))
        .doesNotContain("job", "gang", "HPC");
  }

  @Test
  void tasks_are_told_which_slots_are_kept_from_them() {
    RunSnapshot kept =
        new RunSnapshot(
            "Q",
            SENT,
            new QueueDepth(5, 0, 0),
            WORKERS,
            List.of(),
            List.of(),
            hpc(8, List.of(), List.of(), reservation("r2/e/9", 6, 2, 1)),
            ProvisionerStatus.NONE,
            NOW);

    assertThat(String.join("\n", Explanation.of(kept)))
        .contains("or the slots are reserved for HPC job r2/e/9, which holds 3 of 6.");
  }
}
