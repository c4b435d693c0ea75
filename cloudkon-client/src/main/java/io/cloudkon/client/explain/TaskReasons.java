package io.cloudkon.client.explain;

import io.cloudkon.client.explain.TaskFacts.Bundled;
import io.cloudkon.client.explain.TaskFacts.Holder;
import io.cloudkon.client.explain.TaskFacts.Result;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.ArrayList;
import java.util.List;

/** Explains why a task still waits. */
final class TaskReasons {
  private final RunSnapshot facts;
  private final TaskFacts task;
  private final QueueReasons queue;
  private final List<String> lines = new ArrayList<>();

  TaskReasons(RunSnapshot facts, TaskFacts task) {
    this.facts = facts;
    this.task = task;
    this.queue = new QueueReasons(facts);
  }

  List<String> lines() {
    lines.add(
        "Task %s of run %s: number %s%s."
            .formatted(
                task.id(),
                facts.run().run(),
                Say.number(task.ordinal() + 1),
                task.all() < 0 ? "" : " of " + Say.number(task.all())));
    Result result = task.result();
    Bundled bundle = task.bundle();
    if (result != null) {
      finished(result);
    } else if (facts.standing() == RunStatus.ENDED) {
      lines.add("Its run has ended, but results.jsonl in this folder has no line for it.");
    } else if (facts.standing() == RunStatus.CANCELLED) {
      cancelled();
    } else if (bundle == null) {
      notSent();
    } else {
      sent(bundle);
    }
    dead();
    return lines;
  }

  private void finished(Result result) {
    String where =
        result.worker().isEmpty()
            ? ""
            : " on worker %s, attempt %d, try %d"
                .formatted(result.worker(), result.attempt(), result.tries());
    String when =
        result.finishedMicros() == 0
            ? ""
            : " at " + Say.when(result.finishedMicros() / 1000, facts.nowMillis());
    lines.add("It has finished: %s%s%s.".formatted(result.status(), where, when));
    if (result.status() != TaskStatus.SUCCEEDED && !result.error().isEmpty()) {
      lines.add("Reason: " + result.error());
    }
  }

  private void cancelled() {
    lines.add(
        "Its run was cancelled: workers no longer start it, and it was killed if it was running.");
    lines.add(
        facts.run().leaseEnd() > facts.nowMillis()
            ? "The run's client (%s) reports it as CANCELLED within seconds."
                .formatted(facts.run().host())
            : "No client holds the run. To have the task reported, resume the run with: "
                + facts.resume());
  }

  private void notSent() {
    boolean collected = facts.standing() == RunStatus.COLLECTED;
    lines.add(
        "It is not sent yet: the bundles so far contain %s before it.%s"
            .formatted(
                Say.count(task.bundled(), "task"),
                collected
                    ? " The run's client (%s) %s.".formatted(facts.run().host(), facts.sending())
                    : ""));
    if (!collected) {
      lines.add(RunReasons.client(facts));
    }
  }

  private void sent(Bundled bundle) {
    Holder first = bundle.holders().getFirst();
    boolean job = bundle.ranks() > 0;
    String of =
        job
            ? "bundle %s, an HPC job of %s".formatted(first.id(), Say.count(bundle.ranks(), "rank"))
            : "bundle %s of %s".formatted(first.id(), Say.count(bundle.tasks(), "task"));
    if (bundle.sentMicros() == 0 && first.claim() == null) {
      lines.add(
          facts.standing() == RunStatus.COLLECTED
              ? "It is in %s, which the run's client is sending now.".formatted(of)
              : "It is in %s, but it is not known whether the queue accepted the bundle. To send it again, with the same id, resume the run with: %s"
                  .formatted(of, facts.resume()));
      return;
    }
    lines.add(
        bundle.sentMicros() == 0
            ? "It was sent in %s.".formatted(of)
            : "It was sent at %s in %s."
                .formatted(Say.when(bundle.sentMicros() / 1000, facts.nowMillis()), of));
    if (job) {
      lines.addAll(new JobReasons(facts, bundle.last(), bundle.ranks()).lines());
      return;
    }
    handedOn(bundle.holders());
    if (facts.run().consistency() == Consistency.AT_LEAST_ONCE) {
      lines.add("Its run keeps no claims (at-least-once), so it is not known which worker has it.");
      lines.add(queue.waiting() + ".");
      return;
    }
    Holder last = bundle.last();
    Claim claim = last.claim();
    if (claim == null) {
      unclaimed(last);
    } else {
      lines.addAll(new ClaimReasons(facts, last, claim, bundle.scope(), false).lines());
    }
  }

  private void handedOn(List<Holder> holders) {
    for (Holder child : holders.subList(1, holders.size())) {
      lines.add("It was handed on to child bundle %s.".formatted(child.id()));
    }
  }

  private void unclaimed(Holder holder) {
    if (holder.sent()) {
      lines.add(
          "No worker has claimed it: it is waiting in the queue or in a worker's look-ahead.");
      lines.add(queue.waiting() + ".");
      ahead();
    } else {
      lines.add(
          "That bundle might not be sent yet: the worker that owns its parent bundle, or takes it"
              + " over, sends it.");
      if (queue.nobodyTakes()) {
        lines.add(queue.nobody() + ".");
      }
    }
  }

  /** Estimates when the task starts. A run's tasks start roughly in order. */
  private void ahead() {
    RunProgress progress = facts.progress();
    long ahead = task.ordinal() - progress.finished();
    long left = facts.run().tasks() - progress.finished();
    if (ahead > 0 && left > 0 && progress.secondsLeft().isPresent()) {
      double seconds = progress.secondsLeft().getAsDouble() * ahead / left;
      lines.add(
          "About %s of its run %s before it: it is expected to start in about %s."
              .formatted(
                  Say.count(ahead, "task"),
                  ahead == 1 ? "comes" : "come",
                  Say.span(Math.round(seconds * 1000))));
    }
  }

  private void dead() {
    for (RunSnapshot.Dead letter : facts.dead()) {
      if (letter.tasks().contains(task.ordinal())) {
        lines.add(
            "It is in dead letter %s (%s): %s dead show -s %s %s"
                .formatted(
                    letter.id(), letter.reason(), Launcher.name(), facts.cluster(), letter.id()));
      }
    }
  }
}
