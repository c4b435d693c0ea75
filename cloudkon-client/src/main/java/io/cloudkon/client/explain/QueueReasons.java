package io.cloudkon.client.explain;

import io.cloudkon.client.status.Say;
import io.cloudkon.client.status.StatusText;
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
    List<WorkerEntry> sick = sick();
    if (!sick.isEmpty()) {
      return "%s of %s cannot start any task%s: %s (%s); %s"
          .formatted(
              Say.number(sick.size()),
              Say.count(facts.workers().size(), "live worker"),
              sick.size() < facts.workers().size() ? ", and the others are draining" : "",
              sick.getFirst().sickness(),
              sick.getFirst().id(),
              start);
    }
    if (!facts.workers().isEmpty()) {
      return "All live workers (%s) are draining and take no more work; %s"
          .formatted(Say.number(facts.workers().size()), start);
    }
    long silent = facts.diedLately();
    return silent == 0
        ? "No worker is alive; " + start
        : "No worker is alive: %s stopped responding; %s"
            .formatted(Say.count(silent, "worker"), start);
  }

  private List<WorkerEntry> sick() {
    return facts.workers().stream().filter(w -> w.role().equals(WorkerEntry.SICK)).toList();
  }

  /** Names the workers that could take bundles if they were well; empty if there are none. */
  private String besides() {
    List<WorkerEntry> sick = sick();
    return sick.isEmpty()
        ? ""
        : ". %s cannot start any task: %s (%s)"
            .formatted(
                Say.count(sick.size(), "more worker"),
                sick.getFirst().sickness(),
                sick.getFirst().id());
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
        "Across all runs, %s %s in the queue"
            .formatted(Say.count(waiting, "bundle"), waiting == 1 ? "is waiting" : "are waiting");
    String silent = StatusText.silent(taking, facts.nowMillis());
    String workers =
        Say.count(taking.size(), "worker") + (silent.isEmpty() ? "" : " (" + silent + ")");
    if (waiting == 0) {
      return facts.queue().inFlight() == 0
          ? "No bundle is left in the queue"
          : "No bundle is waiting in the queue: %s in progress, %s of %s busy on %s"
              .formatted(
                  facts.queue().inFlight() == 1
                      ? "1 is"
                      : Say.number(facts.queue().inFlight()) + " are",
                  Say.number(busy),
                  Say.count(slots, "slot"),
                  workers);
    }
    return busy >= slots
        ? "%s, and no slot is free (%s on %s): they start as slots become free; with more workers they start sooner%s"
            .formatted(bundles, Say.count(slots, "slot"), workers, besides())
        : "%s, and %s of %s on %s %s free: they start within seconds, unless no worker accepts their kind (worker --allow, --roles)%s%s"
            .formatted(
                bundles,
                Say.number(slots - busy),
                Say.count(slots, "slot"),
                workers,
                slots - busy == 1 ? "is" : "are",
                kept(),
                besides());
  }

  /** Names the HPC job for which slots may be kept empty; empty if there is none. */
  private String kept() {
    return facts
        .hpc()
        .reservation(facts.nowMillis())
        .filter(reservation -> !reservation.admitted())
        .map(reservation ->
            ", or the slots are reserved for HPC job %s, which holds %d of %d"
                .formatted(reservation.job(), reservation.heldInAll(), reservation.ranks()))
        .orElse("");
  }
}
