package io.cloudkon.client.explain;

import io.cloudkon.client.status.ProvisionerText;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.process.Launcher;
import java.util.ArrayList;
import java.util.List;

/** Explains why a run still waits. */
final class RunReasons {
  private final RunSnapshot facts;
  private final RunEntry run;
  private final QueueReasons queue;
  private final List<String> lines = new ArrayList<>();

  RunReasons(RunSnapshot facts) {
    this.facts = facts;
    this.run = facts.run();
    this.queue = new QueueReasons(facts);
  }

  List<String> lines() {
    lines.add(
        "Run %s %s: %s, %s sent, %s finished%s."
            .formatted(
                run.run(),
                facts.standing() == RunStatus.ENDED ? "has ended" : "is " + facts.standing().word(),
                Say.count(run.tasks(), "task"),
                Say.number(run.sent()),
                Say.number(run.finished()),
                notSucceeded()));
    switch (facts.standing()) {
      case ENDED -> lines.add("Every task has its final result; nothing is waiting.");
      case CANCELLED -> cancelled();
      case COLLECTED, DETACHED, GONE -> {
        client();
        unsent();
        boolean allRan = unfinished();
        progress(!allRan);
      }
    }
    dead();
    return lines;
  }

  private String notSucceeded() {
    long bad = run.finished() - run.counts().getOrDefault(TaskStatus.SUCCEEDED, 0L);
    return bad == 0 ? "" : "; %s did not succeed".formatted(Say.number(bad));
  }

  private void cancelled() {
    lines.add("It was cancelled: workers start none of its tasks, and end those that are running.");
    progress(true);
    if (run.finished() < run.tasks()) {
      lines.add(
          run.leaseEnd() > facts.nowMillis()
              ? "Its client (%s) reports the outstanding tasks as CANCELLED within seconds."
                  .formatted(run.host())
              : "No client holds it. To have the outstanding tasks reported, resume it with: "
                  + facts.resume());
    }
  }

  /** Says whether a client collects the run. */
  private void client() {
    lines.add(client(facts));
  }

  static String client(RunSnapshot facts) {
    return switch (facts.standing()) {
      case COLLECTED -> "Its client (%s) is collecting its results.".formatted(facts.run().host());
      case DETACHED ->
          "Its client has left it; the tasks that were sent continue. Collect their results with: "
              + facts.resume();
      case GONE ->
          "Its client (%s) is gone: its lease expired at %s, %s ago. Resume the run with: %s"
              .formatted(
                  facts.run().host(),
                  Say.when(facts.run().leaseEnd(), facts.nowMillis()),
                  Say.span(facts.nowMillis() - facts.run().leaseEnd()),
                  facts.resume());
      case CANCELLED -> "It was cancelled.";
      case ENDED -> "It has ended.";
    };
  }

  private void unsent() {
    long unsent = run.tasks() - run.sent();
    boolean collected = facts.standing() == RunStatus.COLLECTED;
    if (run.tasks() == 0) {
      lines.add(
          collected
              ? "Nothing has been sent yet: its client is about to start sending."
              : "None of its tasks were sent.");
    } else if (unsent > 0) {
      lines.add(
          collected
              ? "%s not sent yet: its client %s.".formatted(are(unsent), facts.sending())
              : "%s not sent, as far as is known; resuming the run sends the rest."
                  .formatted(are(unsent)));
    }
  }

  /** Says where the unfinished tasks are; returns whether all that were sent have run. */
  private boolean unfinished() {
    long open = run.sent() - run.finished();
    if (open <= 0) {
      if (run.tasks() > 0 && run.finished() >= run.tasks()) {
        lines.add("Every task has finished, but the run has not been ended yet.");
      }
      return false;
    }
    lines.add(
        open == 1
            ? "1 task is sent, but its result has not been collected."
            : "%s sent, but their results have not been collected.".formatted(are(open)));
    boolean nothingLeft = facts.queue().waiting() + facts.queue().delayed() == 0;
    List<String> jobs = new RunJobs(facts).lines();
    boolean allRan = nothingLeft && facts.queue().inFlight() == 0 && jobs.isEmpty();
    if (allRan && facts.standing() != RunStatus.COLLECTED) {
      lines.add(
          "No bundle is left in the queue: the results are waiting in queue %s. Collect them with: %s"
              .formatted(run.responseQueue(), facts.resume()));
      return true;
    }
    if (queue.nobodyTakes()) {
      lines.add(queue.nobody() + ".");
      return false;
    }
    if (allRan) {
      lines.add(
          "No bundle is left in the queue: its client is collecting the results from queue %s."
              .formatted(run.responseQueue()));
      return true;
    }
    if (!nothingLeft || facts.queue().inFlight() > 0) {
      lines.add(queue.waiting() + ".");
    }
    lines.addAll(jobs);
    if (!nothingLeft || !jobs.isEmpty()) {
      lines.addAll(ProvisionerText.backlog(facts.provisioner(), facts.workers().size()));
    }
    boolean idle = facts.workers().stream().allMatch(worker -> worker.busy() == 0);
    if (nothingLeft && idle && facts.queue().inFlight() > 0) {
      lines.add(
          "No slot is busy: bundles whose worker died return to the queue when their leases expire,"
              + " within about 15 s.");
    }
    silent();
    return false;
  }

  /**
   * Reports the progress, by the workers' numbers if no client counts, and the expected remaining
   * time.
   *
   * @param goesOn whether tasks still run; otherwise rate and remaining time mean nothing
   */
  private void progress(boolean goesOn) {
    RunProgress progress = facts.progress();
    String pace = goesOn ? progress.pace() : "";
    if (progress.about()) {
      lines.add(
          "According to its workers, about %s finished%s."
              .formatted(are(progress.finished()), pace.isEmpty() ? "" : ": " + pace));
    } else if (!pace.isEmpty()) {
      lines.add("Progress: " + pace + ".");
    }
  }

  private void silent() {
    long silent = facts.diedLately();
    if (silent > 0) {
      lines.add(
          "%s stopped responding: when the leases expire, other workers take over the bundles that %s held."
              .formatted(Say.count(silent, "worker"), silent == 1 ? "it" : "they"));
    }
  }

  private void dead() {
    if (!facts.dead().isEmpty()) {
      int tasks = facts.dead().stream().mapToInt(letter -> letter.tasks().size()).sum();
      lines.add(
          "The run has %s%s. List dead letters with: %s dead list -s %s"
              .formatted(
                  Say.count(facts.dead().size(), "dead letter"),
                  tasks == 0
                      ? ", which cannot be read"
                      : " with %s that failed permanently".formatted(Say.count(tasks, "task")),
                  Launcher.name(),
                  facts.cluster()));
    }
  }

  private static String are(long tasks) {
    return "%s %s".formatted(Say.count(tasks, "task"), tasks == 1 ? "is" : "are");
  }
}
