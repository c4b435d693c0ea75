package io.cloudkon.client.explain;

import io.cloudkon.client.explain.TaskFacts.Holder;
import io.cloudkon.client.status.HpcStatus;
import io.cloudkon.client.status.HpcText;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains an HPC job by its claim and the ledger. */
final class JobReasons {
  private static final int MOST_DEATHS = AttemptSettings.DEFAULT.max();

  private final RunSnapshot facts;
  private final HpcStatus hpc;
  private final Holder holder;
  private final @Nullable Claim claim;
  private final String job;
  private final int ranks;
  private final SlotReasons slots;
  private final List<String> lines = new ArrayList<>();

  /** Explains a job with this number of ranks by its bundle and that bundle's claim. */
  JobReasons(RunSnapshot facts, Holder holder, int ranks) {
    this.facts = facts;
    this.hpc = facts.hpc();
    this.holder = holder;
    this.claim = holder.claim();
    this.job = holder.id();
    this.ranks = ranks;
    this.slots = new SlotReasons(facts);
  }

  List<String> lines() {
    Claim found = claim;
    if (found == null || found.state() == ClaimState.RELEASED) {
      unclaimed();
      deaths(found == null ? 0 : found.countedAttempts());
    } else if (found.state() == ClaimState.LEASED
        && HpcStatus.lives(found.leaseEnd(), facts.nowMillis())
        && !found.done().contains(holder.position())) {
      managed(found);
      deaths(found.countedAttempts() - 1);
    } else {
      lines.addAll(new ClaimReasons(facts, holder, found, ClaimScope.BUNDLE, true).lines());
    }
    return lines;
  }

  private void unclaimed() {
    Optional<Waiting> waiting = waiting();
    Optional<Share> gang = gang();
    boolean admitted = reservation().map(Reservation::admitted).orElse(false);
    if (gang.isPresent() || admitted) {
      lines.add(
          gang.map(share ->
                  "It is admitted: worker %s manages its gang of %s."
                      .formatted(share.owner(), Say.count(ranks, "rank")))
              .orElse("It is admitted."));
      fills();
    } else if (waiting.isPresent()) {
      waits(waiting.get());
    } else {
      inQueue();
    }
  }

  private void inQueue() {
    if (slots.nobodyTakes()) {
      lines.add("No worker has received it: it is waiting in queue %s.".formatted(queue()));
      lines.add(slots.nobody() + ".");
      return;
    }
    lines.add(
        "No worker reports that it has it: it is waiting in queue %s or was received a moment ago."
            .formatted(queue()));
    lines.add(slots.queue() + ".");
    lines.addAll(slots.tooLarge(ranks));
  }

  private void waits(Waiting waiting) {
    lines.add(
        "Worker %s has received it. It needs %s at the same time and has been waiting since %s (%s)."
            .formatted(
                waiting.worker(),
                Say.count(ranks, "slot"),
                Say.when(waiting.since(), facts.nowMillis()),
                Say.span(facts.nowMillis() - waiting.since())));
    if (slots.nobodyTakes()) {
      lines.add(slots.nobody() + ".");
      return;
    }
    List<String> tooLarge = slots.tooLarge(ranks);
    lines.addAll(tooLarge);
    lines.addAll(slots.slots(job, ranks));
    if (tooLarge.isEmpty()) {
      lines.add(slots.patience(waiting));
    }
    unreachable();
  }

  private void managed(Claim found) {
    lines.add(
        "Worker %s manages it: attempt %d, lease until %s."
            .formatted(
                found.owner(), found.attempt(), Say.when(found.leaseEnd(), facts.nowMillis())));
    if (found.started().contains(holder.position())) {
      lines.add("Its %s started.".formatted(ranks == 1 ? "rank has" : ranks + " ranks have"));
      subWorkers();
      return;
    }
    Optional<Waiting> waiting = waiting();
    if (waiting.isPresent()) {
      lines.add("It was tried before and is waiting to be tried again.");
      waits(waiting.get());
      return;
    }
    Optional<Share> gang = gang().or(() -> standing(found.owner()));
    gang.ifPresent(share ->
        lines.add(
            share.job().equals(job)
                ? "Gang %s was formed for it: it has %s and is filling or running."
                    .formatted(HpcText.shortId(share), Say.count(ranks, "rank"))
                : "It is running or about to run on gang %s of that worker, which was formed for job %s."
                    .formatted(HpcText.shortId(share), share.job())));
    fills();
  }

  /** The manager's gang of the job's size, which has served another job. */
  private Optional<Share> standing(String manager) {
    return hpc.gangs().stream()
        .filter(share -> share.owner().equals(manager) && share.slots() == ranks)
        .findFirst();
  }

  private Optional<Waiting> waiting() {
    return hpc.waiting(facts.nowMillis()).stream()
        .filter(item -> item.job().equals(job))
        .findFirst();
  }

  /** Reports on gangs that are filling: their ranks are in a queue until slots take them. */
  private void fills() {
    long offered = hpc.ranks().waiting() + hpc.ranks().delayed();
    if (offered > 0) {
      lines.add(
          "Across all gangs, %s %s in queue %s for a slot: a gang that is not full within 10 s (worker --gang-timeout) is dissolved, and its job waits again."
              .formatted(
                  Say.count(offered, "rank"),
                  offered == 1 ? "is waiting" : "are waiting",
                  Names.ranks(facts.cluster())));
    } else {
      lines.add(
          "No rank is waiting in queue %s for a slot: its gang is full or about to be, and its ranks are running."
              .formatted(Names.ranks(facts.cluster())));
    }
    unreachable();
    subWorkers();
  }

  /** Names the workers whose slots cannot serve gangs of others. */
  private void unreachable() {
    List<WorkerEntry> uncallable =
        facts.workers().stream().filter(worker -> !worker.unreachable().isEmpty()).toList();
    if (!uncallable.isEmpty()) {
      lines.add(
          "Workers that others could not call, which take no ranks of others' jobs until one can, and try again up to once a minute: %s. Open their ports to all workers, or start them with an address that others reach (--rmi-address)."
              .formatted(
                  SlotReasons.named(
                      uncallable,
                      worker -> "%s at %s".formatted(worker.id(), worker.unreachable()))));
    }
  }

  private void subWorkers() {
    List<WorkerEntry> serving =
        facts.workers().stream()
            .filter(worker -> worker.busy() > 0)
            .filter(worker -> worker.role().equals("sub-worker") || worker.role().equals("manager"))
            .toList();
    if (!serving.isEmpty()) {
      lines.add(
          "Workers that serve gangs: %s."
              .formatted(
                  SlotReasons.named(
                      serving,
                      worker ->
                          "%s (%d of %s busy)"
                              .formatted(
                                  worker.id(), worker.busy(), Say.count(worker.slots(), "slot")))));
    }
  }

  private void deaths(int deaths) {
    if (deaths > 0) {
      lines.add(
          "%s ended because a worker died; after %d such attempts it is FAILED and becomes a dead letter."
              .formatted(Say.count(deaths, "attempt"), MOST_DEATHS));
    }
  }

  private Optional<Share> gang() {
    return hpc.gangs().stream().filter(share -> share.job().equals(job)).findFirst();
  }

  private Optional<Reservation> reservation() {
    return hpc.reservation(facts.nowMillis()).filter(of -> of.job().equals(job));
  }

  private String queue() {
    return Names.hpc(facts.cluster());
  }
}
