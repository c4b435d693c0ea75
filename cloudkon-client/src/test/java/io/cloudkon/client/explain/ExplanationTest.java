package io.cloudkon.client.explain;

import static io.cloudkon.client.status.Clusters.NOW;
import static io.cloudkon.client.status.Clusters.NO_HPC;
import static io.cloudkon.client.status.Clusters.provisioner;
import static io.cloudkon.client.status.Clusters.run;
import static io.cloudkon.client.status.Clusters.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.explain.TaskFacts.Bundled;
import io.cloudkon.client.explain.TaskFacts.Holder;
import io.cloudkon.client.explain.TaskFacts.Result;
import io.cloudkon.client.status.Clusters;
import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Facts in, words out: a table of what may be. */
class ExplanationTest {
  private static final RunEntry OPEN = run("r1");
  private static final RunEntry FAIR = Clusters.with(OPEN, Priority.NORMAL);
  private static final RunEntry ALL_SENT = run("r1", State.OPEN, NOW + 10_000, 100, 100, 40);
  private static final RunEntry GONE = run("r1", State.OPEN, NOW - 3_000, 100, 60, 40);
  private static final RunEntry LEFT = run("r1", State.OPEN, NOW - 5_000, 100, 60, 40);
  private static final RunEntry ENDED = run("r1", State.ENDED, NOW - 5_000, 100, 100, 100);
  private static final RunEntry CANCELLED = run("r1", State.CANCELLED, NOW + 5_000, 100, 60, 40);
  private static final RunEntry AT_MOST = Clusters.with(ALL_SENT, Consistency.AT_MOST_ONCE);
  private static final RunEntry AT_LEAST = Clusters.with(ALL_SENT, Consistency.AT_LEAST_ONCE);

  private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);
  private static final QueueDepth WAITING = new QueueDepth(7, 2, 0);
  private static final QueueDepth IN_WORK = new QueueDepth(0, 3, 0);

  private static final List<WorkerEntry> NONE = List.of();
  private static final List<WorkerEntry> BUSY = List.of(worker("w1", 4, 0), worker("w2", 4, 0));
  private static final List<WorkerEntry> STAGING = List.of(Clusters.staging(worker("w1", 4, 0), 3));
  private static final List<WorkerEntry> FREE = List.of(worker("w1", 1, 0), worker("w2", 4, 0));
  private static final List<WorkerEntry> IDLE = List.of(worker("w1", 0, 0));
  private static final List<WorkerEntry> DRAINING = List.of(worker("w1", "draining", 4, 0));

  private static final List<WorkerEntry> SICK = List.of(sick(worker("w1", "sick", 0, 0)));

  private static WorkerEntry sick(WorkerEntry w) {
    return new WorkerEntry(
        w.id(),
        w.host(),
        w.origin(),
        w.takes(),
        w.role(),
        "",
        "its temporary file system cannot be written: No space left on device",
        w.slots(),
        w.busy(),
        w.cpu(),
        w.memoryBytes(),
        w.tasksDone(),
        w.tasksPerSecond(),
        w.finished(),
        w.sinceMillis(),
        w.updatedMillis());
  }

  /**
   * A case.
   *
   * @param says what is said, each in some line
   */
  private record Case(
      String name,
      RunSnapshot run,
      @Nullable TaskFacts task,
      List<String> says,
      List<String> hides) {
    Case(String name, RunSnapshot run, @Nullable TaskFacts task, String... says) {
      this(name, run, task, List.of(says), List.of());
    }

    Case hides(String... what) {
      return new Case(name, run, task, says, List.of(what));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static RunSnapshot facts(RunEntry run, QueueDepth queue, List<WorkerEntry> workers) {
    return new RunSnapshot(
        "Q", run, queue, workers, List.of(), List.of(), NO_HPC, ProvisionerStatus.NONE, NOW);
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

  private static RunSnapshot died(RunEntry run, QueueDepth queue, List<WorkerEntry> workers) {
    return new RunSnapshot(
        "Q",
        run,
        queue,
        workers,
        List.of(worker("w9", 4, 70_000)),
        List.of(),
        NO_HPC,
        ProvisionerStatus.NONE,
        NOW);
  }

  private static RunSnapshot dead(RunEntry run, int... ordinals) {
    return new RunSnapshot(
        "Q",
        run,
        EMPTY,
        BUSY,
        List.of(),
        List.of(new RunSnapshot.Dead("abcd1234", Positions.of(ordinals), "its worker died")),
        NO_HPC,
        ProvisionerStatus.NONE,
        NOW);
  }

  static Stream<Case> runs() {
    return Stream.of(
        new Case(
            "ended",
            facts(ENDED, EMPTY, NONE),
            null,
            "Run r1 has ended: 100 tasks, 100 sent, 100 finished; 2 did not succeed.",
            "Every task has its final result"),
        new Case(
            "cancelled, its client settles it",
            facts(CANCELLED, EMPTY, BUSY),
            null,
            "Run r1 is cancelled",
            "workers start none of its tasks, and end those that are running",
            "(host, process 7) reports the outstanding tasks"),
        new Case(
            "cancelled, and nobody settles it",
            facts(run("r1", State.CANCELLED, NOW - 5_000, 100, 60, 40), EMPTY, BUSY),
            null,
            "cloudkon client -s Q --resume r1"),
        new Case(
                "held back in a fair cluster",
                facts(FAIR, WAITING, BUSY),
                null,
                "40 tasks are not sent yet: its client holds tasks back because cluster Q is fair")
            .hides("is sending"),
        new Case(
            "sending, every slot busy",
            facts(OPEN, WAITING, BUSY),
            null,
            "Its client (host, process 7) is collecting its results.",
            "40 tasks are not sent yet: its client is sending.",
            "20 tasks are sent, but their results have not been collected.",
            "Across all runs, 7 bundles are waiting in the queue, and no slot is free (8 slots on 2"
                + " workers)"),
        new Case(
            "one of each",
            facts(
                run("r1", State.OPEN, NOW + 10_000, 41, 41, 40),
                new QueueDepth(1, 0, 0),
                List.of(worker("w1", "worker", 3, 0))),
            null,
            "1 task is sent, but its result has not been collected.",
            "Across all runs, 1 bundle is waiting in the queue, and 1 of 4 slots on 1 worker is"
                + " free"),
        new Case(
                "workers boot",
                launching(facts(ALL_SENT, WAITING, NONE), provisioner(2, "3 are wanted")),
                null,
                "No worker is alive; 2 workers have been booting for 40 s.")
            .hides("start one"),
        new Case(
                "the provisioner launches none, and says why",
                launching(facts(ALL_SENT, WAITING, NONE), provisioner(0, "4 workers are the most")),
                null,
                "No worker is alive; the provisioner (box, process 9) reports: 4 workers are the"
                    + " most.")
            .hides("start one"),
        new Case(
            "more workers boot",
            launching(facts(ALL_SENT, WAITING, BUSY), provisioner(2, "60 tasks of 5 s wait")),
            null,
            "no slot is free (8 slots on 2 workers)",
            "The provisioner (box, process 9) wants 3 workers, and 2 are alive; 2 workers have been"
                + " booting for 40 s: 60 tasks of 5 s wait."),
        new Case(
            "slots are free",
            facts(ALL_SENT, WAITING, FREE),
            null,
            "Across all runs, 7 bundles are waiting in the queue, and 3 of 8 slots on 2 workers are"
                + " free",
            "--allow"),
        new Case(
            "everything is with the workers",
            facts(ALL_SENT, IN_WORK, BUSY),
            null,
            "60 tasks are sent, but their results have not been collected.",
            "No bundle is waiting in the queue: 3 are in progress, 8 of 8 slots busy on 2"
                + " workers."),
        new Case(
            "in flight, and nobody busy",
            died(ALL_SENT, IN_WORK, IDLE),
            null,
            "No slot is busy: bundles whose worker died return",
            "1 worker stopped responding: when the leases expire, other workers take over the"
                + " bundles that it held."),
        new Case(
                "left, all has run, and no worker",
                facts(LEFT, EMPTY, NONE),
                null,
                "No bundle is left in the queue: the results are waiting in queue",
                "Collect them with: cloudkon client -s Q --resume r1")
            .hides("No worker is alive"),
        new Case(
                "all has run, and an estimate is left",
                facts(
                    Clusters.with(LEFT, new RemainingWork(60, 600_000, 0, 0, Set.of())),
                    EMPTY,
                    IDLE),
                null,
                "No bundle is left in the queue: the results are waiting in queue")
            .hides("Progress:"),
        new Case(
            "no worker",
            facts(ALL_SENT, WAITING, NONE),
            null,
            "No worker is alive; start one with: cloudkon worker -s Q, or"),
        new Case(
            "every worker died",
            died(ALL_SENT, WAITING, NONE),
            null,
            "No worker is alive: 1 worker stopped responding; start one with"),
        new Case(
            "every worker drains",
            facts(ALL_SENT, WAITING, DRAINING),
            null,
            "All live workers (1) are draining and take no more work"),
        new Case(
            "only sick workers",
            facts(ALL_SENT, WAITING, SICK),
            null,
            "1 of 1 live worker cannot start any task: its temporary file system cannot be written:"
                + " No space left on device (w1); start one with: cloudkon worker -s Q"),
        new Case(
            "sick and draining workers",
            facts(
                ALL_SENT,
                WAITING,
                List.of(worker("w0", "draining", 4, 0), sick(worker("w1", "sick", 0, 0)))),
            null,
            "1 of 2 live workers cannot start any task, and the others are draining: its temporary"
                + " file system cannot be written: No space left on device (w1); start one with:"),
        new Case(
            "a sick worker beside busy ones",
            facts(
                ALL_SENT,
                WAITING,
                List.of(worker("w1", 4, 0), worker("w2", 4, 0), sick(worker("w3", "sick", 0, 0)))),
            null,
            "no slot is free (8 slots on 2 workers)",
            "1 more worker cannot start any task: its temporary file system cannot be written: No"
                + " space left on device (w3)."),
        new Case(
            "client gone",
            facts(GONE, WAITING, BUSY),
            null,
            "Its client (host, process 7) is gone",
            "3 s ago. Resume the run with: cloudkon client -s Q --resume r1",
            "40 tasks are not sent, as far as is known; resuming the run sends the rest."),
        new Case(
            "detached",
            facts(LEFT, IN_WORK, BUSY),
            null,
            "Run r1 is detached",
            "Its client has left it; the tasks that were sent continue. Collect their results with:"
                + " cloudkon client -s Q"),
        new Case(
            "results wait to be collected",
            facts(run("r1", State.OPEN, NOW - 5_000, 100, 100, 40), EMPTY, BUSY),
            null,
            "the results are waiting in queue Q-response-c. Collect them"),
        new Case(
            "results are being collected",
            facts(ALL_SENT, EMPTY, BUSY),
            null,
            "its client is collecting the results from queue Q-response-c"),
        new Case(
            "all finished and not ended",
            facts(run("r1", State.OPEN, NOW + 5_000, 100, 100, 100), EMPTY, BUSY),
            null,
            "Every task has finished, but the run has not been ended yet."),
        new Case(
            "nothing sent yet",
            facts(run("r1", State.OPEN, NOW + 5_000, 0, 0, 0), EMPTY, BUSY),
            null,
            "Nothing has been sent yet: its client is about to start sending."),
        new Case(
            "dead letters",
            dead(ALL_SENT, 4, 5),
            null,
            "The run has 1 dead letter with 2 tasks that failed permanently. List dead letters"
                + " with: cloudkon dead list -s Q"),
        new Case(
            "dead letter that cannot be read",
            dead(ALL_SENT),
            null,
            "The run has 1 dead letter, which cannot be read. List dead letters with: cloudkon dead"
                + " list -s Q"));
  }

  // ---- tasks

  private static TaskFacts task(@Nullable Result result, @Nullable Bundled bundle) {
    return new TaskFacts("a", 41, 100, 60, result, bundle);
  }

  private static Bundled bundled(@Nullable Claim claim) {
    return new Bundled(
        10,
        (NOW - 60_000) * 1000,
        ClaimScope.BUNDLE,
        List.of(new Holder("r1/e/4", 1, true, claim)),
        0);
  }

  /** As {@code --preset original} sends it, which records no end. */
  private static Bundled bundledOnce(Claim claim) {
    Holder holder = new Holder("r1/e/4", 0, true, claim);
    return new Bundled(1, (NOW - 60_000) * 1000, ClaimScope.ONCE, List.of(holder), 0);
  }

  /** A claim of worker w1 in its first attempt, leased for another 10 s; of it, task 1 is asked. */
  private static Claim claim(ClaimState state, long leaseEnd, int attempt, int started, int done) {
    return new Claim(
        "r1/e/4",
        state,
        "w1",
        "n",
        attempt,
        3,
        0,
        leaseEnd,
        started < 0 ? Positions.none() : Positions.of(started),
        done < 0 ? Positions.none() : Positions.of(done),
        new TreeMap<>(),
        0);
  }

  private static Claim survived(Claim of, int... attempts) {
    return new Claim(
        of.id(),
        of.state(),
        of.owner(),
        of.nonce(),
        of.attempt(),
        of.seq(),
        of.releases(),
        of.leaseEnd(),
        of.started(),
        of.done(),
        of.children(),
        of.ttl(),
        Positions.of(attempts));
  }

  private static Claim leased(long leaseEnd, int attempt, int started) {
    return claim(ClaimState.LEASED, leaseEnd, attempt, started, -1);
  }

  static Stream<Case> tasks() {
    long live = NOW + 10_000;
    long over = NOW - 30_000;
    Bundled unconfirmed =
        new Bundled(10, 0, ClaimScope.BUNDLE, List.of(new Holder("r1/e/4", 1, true, null)), 0);
    return Stream.of(
        new Case(
            "finished well",
            facts(OPEN, WAITING, BUSY),
            task(new Result(TaskStatus.SUCCEEDED, "w1", 1, 2, "", NOW * 1000), null),
            "Task a of run r1: number 42 of 100.",
            "It has finished: SUCCEEDED on worker w1, attempt 1, try 2 at "),
        new Case(
            "finished badly",
            facts(ENDED, WAITING, BUSY),
            task(new Result(TaskStatus.FAILED, "w1", 1, 1, "exit code 3", 0), null),
            "It has finished: FAILED on worker w1",
            "Reason: exit code 3"),
        new Case(
            "lost with nobody who spoke for it",
            facts(ENDED, WAITING, BUSY),
            task(new Result(TaskStatus.LOST, "", 0, 0, "its worker died", 0), null),
            "It has finished: LOST.",
            "Reason: its worker died"),
        new Case(
            "ended without its line",
            facts(ENDED, EMPTY, BUSY),
            task(null, null),
            "Its run has ended, but results.jsonl in this folder has no line for it."),
        new Case(
            "cancelled",
            facts(CANCELLED, EMPTY, BUSY),
            task(null, null),
            "Its run was cancelled",
            "(host, process 7) reports it as CANCELLED"),
        new Case(
            "held back in a fair cluster",
            facts(FAIR, WAITING, BUSY),
            task(null, null),
            "The run's client (host, process 7) holds tasks back because cluster Q is fair, and"
                + " sends more as others finish."),
        new Case(
            "not sent yet",
            facts(OPEN, WAITING, BUSY),
            task(null, null),
            "It is not sent yet: the bundles so far contain 60 tasks before it. The run's client"),
        new Case(
            "not sent, client gone",
            facts(GONE, WAITING, BUSY),
            task(null, null),
            "It is not sent yet",
            "is gone",
            "--resume r1"),
        new Case(
            "being sent",
            facts(OPEN, WAITING, BUSY),
            task(null, unconfirmed),
            "It is in bundle r1/e/4 of 10 tasks, which the run's client is sending now."),
        new Case(
            "perhaps sent, client gone",
            facts(GONE, WAITING, BUSY),
            task(null, unconfirmed),
            "it is not known whether the queue accepted the bundle. To send it again, with the same"
                + " id, resume the run with: ",
            "--resume r1"),
        new Case(
            "in the queue",
            facts(ALL_SENT, WAITING, BUSY),
            task(null, bundled(null)),
            "in bundle r1/e/4 of 10 tasks.",
            "No worker has claimed it",
            "Across all runs, 7 bundles are waiting in the queue"),
        new Case(
            "in the queue, and no worker",
            facts(ALL_SENT, WAITING, NONE),
            task(null, bundled(null)),
            "No worker is alive; start one with: cloudkon worker -s Q, or"),
        new Case(
            "at least once",
            facts(AT_LEAST, WAITING, BUSY),
            task(null, bundled(null)),
            "keeps no claims (at-least-once)",
            "Across all runs, 7 bundles are waiting"),
        new Case(
            "claimed",
            facts(ALL_SENT, IN_WORK, BUSY),
            task(null, bundled(leased(live, 1, -1))),
            "Worker w1 on box has claimed its bundle: attempt 1, lease until ",
            "It is running there or waiting for a slot. The worker is alive, 4 of 4 slots busy."),
        new Case(
                "ended or lost, as published",
                facts(AT_MOST, EMPTY, BUSY),
                task(null, bundledOnce(leased(over, 1, 0))),
                "Worker w1 claimed it; the lease ended at ",
                "does not record the end of a task: it has ended, or its worker died; the run's"
                    + " client (host, process 7) collects it.")
            .hides("LOST", "did not renew"),
        new Case(
            "ended or lost, as published, and nobody collects",
            facts(Clusters.with(LEFT, Consistency.AT_MOST_ONCE), EMPTY, BUSY),
            task(null, bundledOnce(leased(over, 1, 0))),
            "it has ended, or its worker died; no client collects it. Resume the run with: cloudkon"
                + " client -s Q --resume r1"),
        new Case(
            "claimed by a worker that makes files ready",
            facts(ALL_SENT, IN_WORK, STAGING),
            task(null, bundled(leased(live, 1, -1))),
            "The worker is alive, 4 of 4 slots busy, 3 of them preparing files."),
        new Case(
            "claimed by a worker that writes no entry",
            facts(ALL_SENT, IN_WORK, NONE),
            task(null, bundled(leased(live, 1, -1))),
            "Worker w1 has claimed its bundle",
            "It is running there or waiting for a slot."),
        new Case(
            "started",
            facts(AT_MOST, IN_WORK, BUSY),
            task(null, bundled(leased(live, 1, 1))),
            "It has started. The worker is alive"),
        new Case(
            "not started where starts are recorded",
            facts(AT_MOST, IN_WORK, BUSY),
            task(null, bundled(leased(live, 1, 0))),
            "It has not started: it is waiting for a slot on that worker."),
        new Case(
            "its worker is silent",
            new RunSnapshot(
                "Q",
                ALL_SENT,
                IN_WORK,
                NONE,
                List.of(worker("w1", 4, 25_000)),
                List.of(),
                NO_HPC,
                ProvisionerStatus.NONE,
                NOW),
            task(null, bundled(leased(NOW + 1_000, 1, -1))),
            "That worker has been silent for 25 s."),
        new Case(
            "its worker died",
            facts(ALL_SENT, IN_WORK, List.of(worker("w2", 1, 0))),
            task(null, bundled(leased(over, 1, -1))),
            "did not renew the lease",
            "the worker died or lost its connection.",
            "Within seconds, the next worker to receive the bundle takes it over."),
        new Case(
            "its worker died, and nobody is there to take over",
            facts(ALL_SENT, IN_WORK, NONE),
            task(null, bundled(leased(over, 1, -1))),
            "No worker is alive",
            "the next worker takes the bundle over."),
        new Case(
            "its worker died when it had started, at most once",
            facts(AT_MOST, IN_WORK, BUSY),
            task(null, bundled(leased(over, 1, 1))),
            "reports it as LOST because it had started"),
        new Case(
            "five workers died of it",
            facts(ALL_SENT, IN_WORK, BUSY),
            task(null, bundled(leased(over, 5, 1))),
            "reports it as FAILED after 5 attempts, unless that worker first reports that"
                + " it is alive"),
        new Case(
            "third attempt",
            facts(ALL_SENT, IN_WORK, BUSY),
            task(null, bundled(leased(live, 3, 0))),
            "It has not started",
            "2 workers died while running this bundle, so its tasks run one at a time"),
        new Case(
                "fifth attempt after four outages",
                facts(ALL_SENT, IN_WORK, BUSY),
                task(null, bundled(survived(leased(live, 5, -1), 1, 2, 3, 4))),
                "attempt 5",
                "It is running there or waiting for a slot.",
                "4 attempts ended because a worker froze or lost its connection but survived, which"
                    + " does not count as a death; after 20 attempts in total it is FAILED.")
            .hides("one at a time"),
        new Case(
            "eighteenth attempt in all",
            facts(ALL_SENT, IN_WORK, BUSY),
            task(
                null,
                bundled(survived(leased(live, 18, 0), IntStream.rangeClosed(1, 17).toArray()))),
            "It has not started",
            "The bundle was tried 18 times, so its tasks run one at a time"),
        new Case(
            "the last attempt in all",
            facts(ALL_SENT, IN_WORK, BUSY),
            task(
                null,
                bundled(survived(leased(over, 20, 1), IntStream.rangeClosed(1, 19).toArray()))),
            "reports it as FAILED after 20 attempts, unless that worker first reports that"
                + " it is alive"),
        new Case(
                "second attempt",
                facts(ALL_SENT, IN_WORK, BUSY),
                task(null, bundled(leased(live, 2, -1))),
                "attempt 2")
            .hides("one at a time"),
        new Case(
            "released",
            facts(ALL_SENT, WAITING, BUSY),
            task(null, bundled(claim(ClaimState.RELEASED, over, 1, -1, -1))),
            "Worker w1 drained and returned the bundle to the queue",
            "Across all runs, 7 bundles are waiting"),
        new Case(
            "losing",
            facts(AT_MOST, IN_WORK, BUSY),
            task(null, bundled(claim(ClaimState.LOSING, live, 2, 1, -1))),
            "Worker w1 settles the bundle"),
        new Case(
            "finished, its result on the way",
            facts(ALL_SENT, EMPTY, BUSY),
            task(null, bundled(claim(ClaimState.DONE, live, 1, -1, 1))),
            "Worker w1 has finished it and sent its result to queue Q-response-c",
            "the run's client (host, process 7) collects it."),
        new Case(
            "finished, and nobody collects",
            facts(GONE, EMPTY, BUSY),
            task(null, bundled(claim(ClaimState.LEASED, live, 1, -1, 1))),
            "sent its result to queue Q-response-c; no client collects it. Resume the run with:"
                + " cloudkon"),
        new Case(
            "done without a record",
            facts(ALL_SENT, EMPTY, BUSY),
            task(null, bundled(claim(ClaimState.DONE, live, 1, -1, -1))),
            "it becomes LOST unless a result still arrives"),
        new Case(
            "handed to a child that waits",
            facts(ALL_SENT, WAITING, BUSY),
            task(
                null,
                new Bundled(
                    10,
                    NOW * 1000,
                    ClaimScope.BUNDLE,
                    List.of(
                        new Holder("r1/e/4", 1, true, leased(live, 1, -1)),
                        new Holder("r1/e/4/0", 0, true, null)),
                    0)),
            "It was handed on to child bundle r1/e/4/0.",
            "No worker has claimed it"),
        new Case(
            "handed to a child that was not sent",
            facts(ALL_SENT, WAITING, NONE),
            task(
                null,
                new Bundled(
                    10,
                    NOW * 1000,
                    ClaimScope.BUNDLE,
                    List.of(
                        new Holder("r1/e/4", 1, true, leased(over, 1, -1)),
                        new Holder("r1/e/4/0", 0, false, null)),
                    0)),
            "That bundle might not be sent yet",
            "No worker is alive"),
        new Case(
            "in a dead letter",
            dead(ALL_SENT, 41),
            task(null, bundled(claim(ClaimState.DONE, live, 5, 1, 1))),
            "It is in dead letter abcd1234 (its worker died): cloudkon dead show -s Q abcd1234"),
        new Case(
                "in no dead letter",
                dead(ALL_SENT, 40),
                task(null, bundled(null)),
                "No worker has claimed it")
            .hides("dead letter"));
  }

  @ParameterizedTest
  @MethodSource({"runs", "tasks"})
  void why_it_waits_is_said_in_words(Case of) {
    TaskFacts task = of.task();

    List<String> lines = task == null ? Explanation.of(of.run()) : Explanation.of(of.run(), task);

    String text = String.join("\n", lines);
    assertThat(text).contains(of.says());
    of.hides().forEach(hidden -> assertThat(text).doesNotContain(hidden));
    assertThat(lines).allMatch(line -> !line.contains("\n"));
  }
}
