package io.cloudkon.client.status;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Locale;

/** A cluster's status for a person, at most 80 columns wide. */
public final class StatusText {
  private static final int RUNS_SHOWN = 10;
  private static final int WORKERS_SHOWN = 40;

  private StatusText() {}

  /** The text, each line with its end. */
  public static String of(ClusterStatus status) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "Cluster %s: %s waiting, %,d in work; %s dead",
        status.cluster(),
        count(status.queue().waiting() + status.queue().delayed(), "bundle"),
        status.queue().inFlight(),
        count(status.dead().waiting(), "message"));
    workers(text, status);
    runs(text, status);
    return text.toString();
  }

  private static void workers(StringBuilder text, ClusterStatus status) {
    if (status.workers().isEmpty()) {
      line(text, "%nNo worker lives. Start one with: cloudkon worker -s %s", status.cluster());
    } else {
      line(
          text,
          "%n%-32s %-9s %9s %5s %8s %12s",
          "WORKER",
          "ROLE",
          "BUSY",
          "CPU",
          "TASKS/S",
          "TASKS");
      for (WorkerEntry worker : status.workers().stream().limit(WORKERS_SHOWN).toList()) {
        line(
            text,
            "%-32s %-9s %9s %5s %,8.0f %,12d",
            cut(worker.id(), 32),
            worker.role(),
            worker.busy() + "/" + worker.slots(),
            worker.cpu() < 0 ? "?" : "%.0f%%".formatted(worker.cpu() * 100),
            worker.tasksPerSecond(),
            worker.tasksDone());
      }
      more(text, status.workers().size() - WORKERS_SHOWN, "worker");
      line(
          text,
          "%s, %,d of %s busy",
          count(status.workers().size(), "worker"),
          status.busy(),
          count(status.slots(), "slot"));
    }
    if (status.silentWorkers() > 0) {
      line(
          text,
          "%s ended without a word: what they had in hand runs elsewhere",
          count(status.silentWorkers(), "worker"));
    }
  }

  private static void runs(StringBuilder text, ClusterStatus status) {
    if (status.runs().isEmpty()) {
      line(text, "%nNo runs.");
      return;
    }
    line(text, "%n%-24s %-16s %12s %12s %11s", "RUN", "STATE", "TASKS", "FINISHED", "NOT OK");
    for (RunEntry run : status.runs().stream().limit(RUNS_SHOWN).toList()) {
      long good = run.counts().getOrDefault(TaskStatus.SUCCEEDED, 0L);
      line(
          text,
          "%-24s %-16s %,12d %,12d %,11d",
          cut(run.run(), 24),
          state(status, run),
          run.tasks(),
          run.finished(),
          run.finished() - good);
    }
    more(text, status.runs().size() - RUNS_SHOWN, "run");
  }

  private static String state(ClusterStatus status, RunEntry run) {
    return switch (run.state()) {
      case OPEN -> status.collected(run) ? "open" : "open, no client";
      case CANCELLED -> "cancelled";
      case ENDED -> "ended";
    };
  }

  private static void more(StringBuilder text, int count, String what) {
    if (count > 0) {
      line(text, "and %s more", count(count, what));
    }
  }

  private static String count(long count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }

  private static String cut(String text, int columns) {
    return text.length() <= columns ? text : text.substring(0, columns - 3) + "...";
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void line(StringBuilder text, String format, Object... args) {
    text.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
