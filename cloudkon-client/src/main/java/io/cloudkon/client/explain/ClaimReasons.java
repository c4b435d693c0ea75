package io.cloudkon.client.explain;

import io.cloudkon.client.explain.TaskFacts.Holder;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Explains a task by its bundle's claim. */
final class ClaimReasons {
  private static final AttemptSettings ATTEMPTS = AttemptSettings.DEFAULT;

  private final RunSnapshot facts;
  private final Claim claim;
  private final boolean recorded;
  private final boolean started;
  private final ClaimScope scope;
  private final boolean job;
  private final QueueReasons queue;
  private final List<String> lines = new ArrayList<>();

  /**
   * Explains a task by this claim, which is that of its bundle or its own.
   *
   * @param scope what one claim of its run is for
   * @param job whether the bundle is an HPC job
   */
  ClaimReasons(RunSnapshot facts, Holder holder, Claim claim, ClaimScope scope, boolean job) {
    this.facts = facts;
    this.scope = scope;
    this.job = job;
    this.claim = claim;
    this.recorded = claim.done().contains(holder.position());
    this.started = claim.started().contains(holder.position());
    this.queue = new QueueReasons(facts);
  }

  List<String> lines() {
    if (recorded) {
      lines.add(
          "Worker %s has finished it and sent its result to queue %s; %s"
              .formatted(claim.owner(), facts.run().responseQueue(), collects()));
      return lines;
    }
    switch (claim.state()) {
      case LEASED -> {
        if (claim.leaseEnd() + LeaseSettings.DEFAULT.margin() > facts.nowMillis()) {
          leased();
        } else if (scope == ClaimScope.ONCE) {
          endedOrDied();
        } else {
          expired();
        }
        attempts();
      }
      case RELEASED -> {
        lines.add(
            "Worker %s drained and returned the bundle to the queue; the next worker to receive it claims it."
                .formatted(claim.owner()));
        lines.add(queue.waiting() + ".");
        attempts();
      }
      case LOSING ->
          lines.add(
              (scope == ClaimScope.ONCE
                      ? "Its worker had finished it, or died. Worker %s reports it as LOST unless"
                          + " its result arrives."
                      : claimsOneTask()
                          ? "Its worker died. Worker %s reports it as LOST."
                          : "Its worker died. Worker %s settles the bundle: tasks that had started"
                              + " are reported as LOST, and the others run in a child bundle.")
                  .formatted(claim.owner()));
      case DONE ->
          lines.add(
              "Its bundle is done, but no result was recorded for it: it becomes LOST unless a"
                  + " result still arrives; "
                  + collects());
    }
    return lines;
  }

  private boolean claimsOneTask() {
    return job || BundleIds.positionOfClaim(claim.id()) >= 0;
  }

  private String collects() {
    return facts.standing() == RunStatus.COLLECTED
        ? "the run's client (%s) collects it.".formatted(facts.run().host())
        : "no client collects it. Resume the run with: " + facts.resume();
  }

  private void leased() {
    Optional<WorkerEntry> entry = entry();
    String host = entry.map(worker -> " on " + worker.host()).orElse("");
    lines.add(
        "Worker %s%s has claimed %s: attempt %d, lease until %s."
            .formatted(
                claim.owner(),
                host,
                claimsOneTask() ? "it" : "its bundle",
                claim.attempt(),
                Say.when(claim.leaseEnd(), facts.nowMillis())));
    boolean lives = entry.filter(worker -> worker.livesAt(facts.nowMillis())).isPresent();
    if (entry.isPresent() && !lives) {
      lines.add(
          "That worker has been silent for %s. If it died, the next worker to receive the bundle takes it over when the lease expires."
              .formatted(Say.span(facts.nowMillis() - entry.get().updatedMillis())));
    } else {
      String busy =
          entry
              .map(worker ->
                  ", %d of %s busy%s"
                      .formatted(
                          worker.busy(),
                          Say.count(worker.slots(), "slot"),
                          Say.staging(worker.staging())))
              .orElse("");
      lines.add(running() + (lives ? " The worker is alive%s.".formatted(busy) : ""));
    }
  }

  private String running() {
    boolean startsRecorded =
        facts.run().consistency() == Consistency.AT_MOST_ONCE || ATTEMPTS.oneByOne(claim);
    if (started) {
      return "It has started.";
    }
    return startsRecorded
        ? "It has not started: it is waiting for a slot on that worker."
        : "It is running there or waiting for a slot.";
  }

  /** The end of a claim that is taken once is never written, so its lease ends in either case. */
  private void endedOrDied() {
    lines.add(
        "Worker %s claimed it; the lease ended at %s. The run was submitted with --preset original, which does not record the end of a task: it has ended, or its worker died; %s"
            .formatted(claim.owner(), Say.when(claim.leaseEnd(), facts.nowMillis()), collects()));
  }

  private void expired() {
    lines.add(
        "Worker %s claimed its bundle (attempt %d) but did not renew the lease, which expired at %s: the worker died or lost its connection."
            .formatted(
                claim.owner(), claim.attempt(), Say.when(claim.leaseEnd(), facts.nowMillis())));
    SlotReasons slots = new SlotReasons(facts);
    if (job ? slots.nobodyTakes() : queue.nobodyTakes()) {
      lines.add(
          (job ? slots.nobody() : queue.nobody()) + "; the next worker takes the bundle over.");
      return;
    }
    boolean lost = facts.run().consistency() == Consistency.AT_MOST_ONCE && started;
    boolean lastDeath = claim.countedAttempts() >= ATTEMPTS.max();
    boolean last = lastDeath || claim.attemptsInAll() >= ATTEMPTS.maxInAll();
    int tried = lastDeath ? claim.countedAttempts() : claim.attemptsInAll();
    lines.add(
        "Within seconds, the next worker to receive the bundle %s."
            .formatted(
                lost
                    ? "reports it as LOST because it had started"
                    : last && started
                        ? "reports it as FAILED after %d attempts, unless that worker first reports that it is alive"
                            .formatted(tried)
                        : "takes it over"));
  }

  private void attempts() {
    int survived = claim.survived().size();
    if (survived > 0) {
      lines.add(
          "%s ended because a worker froze or lost its connection but survived, which does not count as a death; after %d attempts in total it is FAILED."
              .formatted(Say.count(survived, "attempt"), ATTEMPTS.maxInAll()));
    }
    int dead = claim.countedAttempts() - 1;
    if (!job && dead > 0 && ATTEMPTS.oneByOne(claim)) {
      lines.add(
          "%s died while running this bundle, so its tasks run one at a time to find the one that causes this."
              .formatted(Say.count(dead, "worker")));
    } else if (!job && ATTEMPTS.oneByOne(claim)) {
      lines.add(
          "The bundle was tried %d times, so its tasks run one at a time to find the one that causes this."
              .formatted(claim.attemptsInAll()));
    }
  }

  private Optional<WorkerEntry> entry() {
    return Stream.concat(facts.workers().stream(), facts.silent().stream())
        .filter(worker -> worker.id().equals(claim.owner()))
        .findFirst();
  }
}
