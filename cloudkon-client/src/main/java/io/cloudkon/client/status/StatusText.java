package io.cloudkon.client.status;

import io.cloudkon.client.report.Wording;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats a cluster's status for people: tables of 80 columns, and remarks on problems. */
public final class StatusText {
  private static final String WORKERS = "%-22s %-11s %7s %4s %6s %8s %9s %6s";
  private static final String RUNS = "%-24s %-9s %11s %11s %11s %9s";
  private static final int RUNS_SHOWN = 10;
  private static final int JOBS_SHOWN = 20;
  private static final int WORKERS_SHOWN = 40;
  private static final int ID_COLUMNS = 22;

  /**
   * The age of an entry from which its worker or provisioner may have died; entries are written
   * every 5 s.
   */
  static final long QUIET_MILLIS = 7_000;

  private StatusText() {}

  /** The text, each line with its end. */
  public static String of(ClusterStatus status) {
    List<String> lines = new ArrayList<>(head(status));
    lines.add("");
    lines.addAll(workers(status, WORKERS_SHOWN));
    lines.add("");
    List<String> hpc = HpcText.lines(status, JOBS_SHOWN);
    if (!hpc.isEmpty()) {
      lines.addAll(hpc);
      lines.add("");
    }
    lines.addAll(runs(status, RUNS_SHOWN));
    return String.join("\n", lines) + "\n";
  }

  /** The lines about waiting bundles, dead letters and the provisioner. */
  static List<String> head(ClusterStatus status) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Cluster %s: %s waiting, %s in progress"
            .formatted(
                status.cluster(),
                Say.count(status.queue().waiting() + status.queue().delayed(), "bundle"),
                Say.number(status.queue().inFlight())));
    if (status.onlyCancelledWaits()) {
      lines.add("What waits belongs to cancelled runs: the next worker drops it");
    }
    long dead = status.dead().waiting() + status.dead().inFlight();
    if (dead > 0) {
      lines.add(
          "%s; look at them with: %s dead list -s %s"
              .formatted(Say.count(dead, "dead letter"), Launcher.name(), status.cluster()));
    }
    lines.addAll(ProvisionerText.lines(status.provisioner(), status.workers().size()));
    return lines;
  }

  /**
   * The live workers, those that need attention first.
   *
   * @param most the maximum number that are listed
   */
  static List<String> workers(ClusterStatus status, int most) {
    List<String> lines = new ArrayList<>();
    if (status.workers().isEmpty()) {
      lines.add(nobody(status));
    } else {
      boolean types = status.workers().stream().anyMatch(w -> !w.origin().type().isEmpty());
      String head =
          row(WORKERS, "WORKER", "ROLE", "BUSY", "CPU", "MEM", "TASKS/S", "TASKS", "SINCE");
      lines.add(types ? head + "  TYPE" : head);
      status.workers().stream()
          .sorted(Comparator.comparingInt(worker -> isNoticed(worker, status.atMillis()) ? 0 : 1))
          .limit(most)
          .forEach(worker -> lines.addAll(worker(worker, status.atMillis())));
      more(lines, status.workers().size() - most, "worker");
      lines.add(
          "%s, %s of %s busy%s%s"
              .formatted(
                  Say.count(status.workers().size(), "worker"),
                  Say.number(status.busy()),
                  Say.count(status.slots(), "slot"),
                  FleetCost.of(status.workers()).text(),
                  noticed(status)));
    }
    if (status.silentWorkers() > 0) {
      lines.add(
          "%s stopped responding: the bundles that %s held %s"
              .formatted(
                  Say.count(status.silentWorkers(), "worker"),
                  status.silentWorkers() == 1 ? "it" : "they",
                  status.workers().isEmpty() ? "wait for another worker" : "run elsewhere"));
    }
    return lines;
  }

  /** Whether something about the worker needs attention, so that it is listed before others. */
  private static boolean isNoticed(WorkerEntry worker, long now) {
    return isSick(worker) || isQuiet(worker, now) || !worker.notice().isEmpty();
  }

  private static boolean isSick(WorkerEntry worker) {
    return !worker.sickness().isEmpty();
  }

  /** Clauses that count the workers that need attention. */
  private static String noticed(ClusterStatus status) {
    long sick = status.workers().stream().filter(StatusText::isSick).count();
    long ending = status.workers().stream().filter(worker -> !worker.notice().isEmpty()).count();
    return Stream.of(
            sick == 0 ? "" : Say.number(sick) + " cannot start any task",
            silent(status.workers(), status.atMillis()),
            ending == 0 ? "" : Say.number(ending) + " about to be shut down")
        .filter(clause -> !clause.isEmpty())
        .map("; "::concat)
        .collect(Collectors.joining());
  }

  /**
   * A clause that some of the live workers may have died, which is uncertain until their entries
   * are older; empty if none.
   */
  public static String silent(Collection<WorkerEntry> workers, long now) {
    long quiet = workers.stream().filter(worker -> isQuiet(worker, now)).count();
    return quiet == 0
        ? ""
        : "%s silent and may have died".formatted(quiet == 1 ? "1 is" : Say.number(quiet) + " are");
  }

  private static boolean isQuiet(WorkerEntry worker, long now) {
    return now - worker.updatedMillis() >= QUIET_MILLIS;
  }

  private static String nobody(ClusterStatus status) {
    return status
        .provisioner()
        .live()
        .map(entry ->
            // The provisioner's own lines say why none boots.
            ProvisionerText.booting(entry.fleet(), status.atMillis())
                .map(boot -> "No worker is alive; " + boot)
                .orElse("No worker is alive."))
        .orElseGet(() ->
            "No worker is alive. Start one with: %s worker -s %s"
                .formatted(Launcher.name(), status.cluster()));
  }

  /** The worker's line, and others if it is sick, prepares files or has a notice. */
  private static List<String> worker(WorkerEntry worker, long now) {
    String line = numbers(worker, now);
    String type = worker.origin().type();
    if (!type.isEmpty()) {
      line = "%-80s  %s".formatted(line, type);
      line += worker.origin().lifeCycle().equals("spot") ? ", spot" : "";
    }
    List<String> lines = new ArrayList<>(List.of(line));
    if (!worker.sickness().isEmpty()) {
      lines.add("  it cannot start any task: " + worker.sickness());
    }
    if (!worker.unreachable().isEmpty()) {
      lines.add(
          "  other workers could not call it at %s: it takes no ranks of their HPC jobs until one can, and tries again up to once a minute"
              .formatted(worker.unreachable()));
    }
    if (worker.staging() > 0) {
      lines.add(
          "  %d of its busy slots %s files (shipped files are %s)"
              .formatted(
                  worker.staging(),
                  worker.staging() == 1 ? "prepares" : "prepare",
                  worker.shippedFiles()));
    }
    if (!worker.notice().isEmpty()) {
      lines.add("  its machine is about to be shut down: " + worker.notice());
    }
    return lines;
  }

  private static String numbers(WorkerEntry worker, long now) {
    return row(
        WORKERS,
        Say.cutHead(worker.id(), ID_COLUMNS),
        isQuiet(worker, now) ? "silent " + Say.span(now - worker.updatedMillis()) : worker.role(),
        worker.busy() + "/" + worker.slots(),
        worker.cpu() < 0 ? "?" : "%.0f%%".formatted(worker.cpu() * 100),
        Wording.bytes(worker.memoryBytes()),
        String.format(Locale.ROOT, "%,.0f", worker.tasksPerSecond()),
        Say.number(worker.tasksDone()),
        Say.span(now - worker.sinceMillis()));
  }

  /**
   * The runs, in the order of {@link ShownRuns}; the others are counted.
   *
   * @param most the maximum number that are listed
   */
  static List<String> runs(ClusterStatus status, int most) {
    if (status.runs().isEmpty()) {
      return List.of("No runs.");
    }
    List<String> lines = new ArrayList<>();
    lines.add(row(RUNS, "RUN", "STATE", "TASKS", "SENT", "FINISHED", "NOT OK"));
    ShownRuns shown = ShownRuns.of(status, most);
    shown.gone().forEach(run -> lines.addAll(run(status, run)));
    if (shown.moreGone() > 0) {
      lines.add(
          "and %s more %s whose client is gone; list all open runs with: %s runs -s %s"
              .formatted(
                  Say.number(shown.moreGone()),
                  shown.moreGone() == 1 ? "run" : "runs",
                  Launcher.name(),
                  status.cluster()));
    }
    shown.others().forEach(run -> lines.addAll(run(status, run)));
    more(lines, shown.moreOthers(), "run");
    return lines;
  }

  /** The run's line, and others with details if there are any. */
  private static List<String> run(ClusterStatus status, RunEntry run) {
    RunStatus standing = RunStatus.of(run, status.atMillis());
    RunProgress progress = status.progress(run);
    String line =
        row(
            RUNS,
            Say.cut(run.run(), 24),
            standing.word(),
            Say.number(run.tasks()),
            Say.number(run.sent()),
            progress.number(),
            Say.number(progress.notSucceeded()));
    List<String> lines = new ArrayList<>(List.of(line));
    if (!run.label().name().isEmpty()) {
      lines.add("  " + run.label().name());
    }
    String pace = progress.pace();
    if (!pace.isEmpty()) {
      lines.add("  " + (progress.about() ? pace + ", according to its workers" : pace));
    }
    String more = inWords(status, run, standing);
    if (!more.isEmpty()) {
      lines.add("  " + more);
    }
    QueuePosition.of(status, run).map(QueuePositionText::lines).orElse(List.of()).stream()
        .map(waits -> "  " + waits)
        .forEach(lines::add);
    return lines;
  }

  private static String inWords(ClusterStatus status, RunEntry run, RunStatus standing) {
    String resume = RunStatus.resume(status.cluster(), run.run());
    return switch (standing) {
      case COLLECTED -> "collected by " + run.host();
      case DETACHED -> "its client has left it; collect with: " + resume;
      case GONE ->
          "its client died or lost its connection %s ago; resume with: %s"
              .formatted(Say.span(status.atMillis() - run.leaseEnd()), resume);
      case CANCELLED -> run.finished() < run.tasks() ? "its tasks are no longer started" : "";
      case ENDED -> "";
    };
  }

  static void more(List<String> lines, int count, String what) {
    if (count > 0) {
      lines.add("and %s more %s%s".formatted(Say.number(count), what, count == 1 ? "" : "s"));
    }
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static String row(String format, Object... cells) {
    return String.format(Locale.ROOT, format, cells).stripTrailing();
  }
}
