package io.cloudkon.client.explain;

import io.cloudkon.client.status.Say;
import io.cloudkon.core.port.WorkerEntry;
import java.util.List;

/** Explains why bundles in the queue do not run yet. */
final class QueueReasons {
  private final RunSnapshot facts;

  QueueReasons(RunSnapshot facts) {
    this.facts = facts;
  }

  /** Whether no worker takes bundles from the queue. */
  boolean nobodyTakes() {
    return facts.taking().isEmpty();
  }

  /** Says that no worker takes bundles, and what is being done, or to be done, about it. */
  String nobody() {
    String start = facts.help(false);
    List<WorkerEntry> sick =
        facts.workers().stream().filter(w -> w.role().equals(WorkerEntry.SICK)).toList();
    if (!sick.isEmpty()) {
      return "%s of %s can start nothing, and the others drain: %s (%s)"
          .formatted(
              Say.number(sick.size()),
              Say.count(facts.workers().size(), "live worker"),
              sick.getFirst().sickness(),
              sick.getFirst().id());
    }
    if (!facts.workers().isEmpty()) {
      return "All of %s drain and take nothing more; %s"
          .formatted(Say.count(facts.workers().size(), "live worker"), start);
    }
    long silent = facts.diedLately();
    return silent == 0
        ? "No worker lives; " + start
        : "No worker lives: %s ended without a word; %s"
            .formatted(Say.count(silent, "worker"), start);
  }

  /** Says why bundles wait, if any do. */
  String waiting() {
    if (nobodyTakes()) {
      return nobody();
    }
    List<WorkerEntry> taking = facts.taking();
    int slots = taking.stream().mapToInt(WorkerEntry::slots).sum();
    int busy = taking.stream().mapToInt(WorkerEntry::busy).sum();
    long waiting = facts.queue().waiting() + facts.queue().delayed();
    String bundles =
        "%s of all runs %s in the queue"
            .formatted(Say.count(waiting, "bundle"), waiting == 1 ? "waits" : "wait");
    String workers = Say.count(taking.size(), "worker");
    if (waiting == 0) {
      return facts.queue().inFlight() == 0
          ? "No bundle is left in the queue"
          : "No bundle waits in the queue: %s in work, %s of %s busy on %s"
              .formatted(
                  facts.queue().inFlight() == 1
                      ? "1 is"
                      : Say.number(facts.queue().inFlight()) + " are",
                  Say.number(busy),
                  Say.count(slots, "slot"),
                  workers);
    }
    return busy >= slots
        ? "%s, and every one of %s on %s is busy: they start as slots fall free; more workers start them sooner"
            .formatted(bundles, Say.count(slots, "slot"), workers)
        : "%s, and %s of %s on %s %s free: they start within seconds, unless no worker takes their kind (worker --allow, --roles)%s"
            .formatted(
                bundles,
                Say.number(slots - busy),
                Say.count(slots, "slot"),
                workers,
                slots - busy == 1 ? "is" : "are",
                kept());
  }

  /** Names the HPC job for which slots may be kept empty; empty if there is none. */
  private String kept() {
    return facts
        .hpc()
        .reservation(facts.nowMillis())
        .filter(reservation -> !reservation.admitted())
        .map(reservation ->
            ", or the slots are kept for HPC job %s, which holds %d of %d"
                .formatted(reservation.job(), reservation.heldInAll(), reservation.ranks()))
        .orElse("");
  }
}
