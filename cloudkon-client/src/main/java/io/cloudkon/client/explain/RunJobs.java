package io.cloudkon.client.explain;

import io.cloudkon.client.status.HpcStatus;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Explains why HPC jobs of a run still wait; says nothing if none is under way. */
final class RunJobs {
  private final RunSnapshot facts;
  private final HpcStatus hpc;
  private final SlotReasons slots;

  RunJobs(RunSnapshot facts) {
    this.facts = facts;
    this.hpc = facts.hpc();
    this.slots = new SlotReasons(facts);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (hpc.jobsInQueue() + hpc.jobs().inFlight() > 0) {
      lines.add(slots.queue() + ".");
      if (slots.nobodyTakes()) {
        lines.add(slots.nobody() + ".");
        return lines;
      }
    }
    gangs(lines);
    waiting(lines);
    return lines;
  }

  private void gangs(List<String> lines) {
    List<Share> gangs = hpc.gangs().stream().filter(share -> ofThisRun(share.job())).toList();
    if (!gangs.isEmpty()) {
      lines.add(
          "%s %s formed for its jobs, with %s in total; managers: %s."
              .formatted(
                  Say.count(gangs.size(), "gang"),
                  gangs.size() == 1 ? "was" : "were",
                  Say.count(gangs.stream().mapToInt(Share::slots).sum(), "rank"),
                  gangs.stream()
                      .map(Share::owner)
                      .distinct()
                      .limit(SlotReasons.NAMED)
                      .collect(Collectors.joining(", "))));
    }
  }

  /** Reports on the waiting jobs; gives details only of the one that has waited longest. */
  private void waiting(List<String> lines) {
    long now = facts.nowMillis();
    List<Waiting> waiting =
        hpc.waiting(now).stream().filter(item -> ofThisRun(item.job())).toList();
    if (waiting.isEmpty()) {
      return;
    }
    Waiting longest = waiting.getFirst();
    lines.add(
        "%s of this run %s for slots; the one that has waited longest, %s, needs %s at the same time and has been waiting for %s."
            .formatted(
                Say.count(waiting.size(), "job"),
                waiting.size() == 1 ? "is waiting" : "are waiting",
                longest.job(),
                Say.count(longest.ranks(), "slot"),
                Say.span(now - longest.since())));
    List<String> tooLarge = slots.tooLarge(longest.ranks());
    lines.addAll(tooLarge);
    lines.addAll(slots.slots(longest.job(), longest.ranks()));
    if (tooLarge.isEmpty()) {
      lines.add(slots.patience(longest));
    }
  }

  private boolean ofThisRun(String job) {
    return job.startsWith(facts.run().run() + "/");
  }
}
