package io.cloudkon.client.report;

import static io.cloudkon.client.report.Wording.bytes;
import static io.cloudkon.client.report.Wording.count;
import static io.cloudkon.client.report.Wording.dollars;
import static io.cloudkon.client.report.Wording.duration;
import static io.cloudkon.client.report.Wording.number;
import static io.cloudkon.client.report.Wording.percent;
import static io.cloudkon.client.report.Wording.rate;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.price.Money;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report that is printed when a run has ended: a few lines of at most 80 columns. Stateless and
 * thread safe.
 */
public final class ShortReport {
  /** The share of slot time from which staging is reported. */
  private static final double MUCH_STAGING = 0.01;

  /** The most characters of a file that was left out, with the reason. */
  private static final int LEFT_OUT_CHARS = 120;

  private ShortReport() {}

  /** Prints the report. */
  public static void print(
      PrintStream out, RunReport report, List<TaskFailure> failures, Optional<Path> folder) {
    out.print(Printable.text(text(report, failures, folder)));
    out.flush();
  }

  /**
   * The text, each line with its end. Leaves out an efficiency above 1, which a short run has by
   * the error of the estimated clocks, and the latency of a resumed run, whose results waited until
   * a client came back for them.
   *
   * @param failures the first few failures, see {@link RunStatistics#failures}
   * @param folder the folder of results and report; empty if there is none
   */
  public static String text(RunReport report, List<TaskFailure> failures, Optional<Path> folder) {
    ReportPage page = new ReportPage();
    page.text("Run %s: %s\n\n".formatted(report.run(), headline(report)));
    page.line("Tasks", statuses(report));
    if (report.refusedLines() != null) {
      page.line("Refused", report.refusedLines().text());
    }
    page.line(
        "Time",
        duration(report.makespanSeconds())
            + ", "
            + rate(report.tasksPerSecond()).replace("/", " tasks/"));
    if (!report.workers().isEmpty()) {
      if (report.efficiency() <= 1) {
        page.line("Efficiency", efficiency(report));
      }
      staging(page, report);
      if (report.setUpSeconds() != null) {
        page.line("Latency", latency(report.latencyMillis()));
      }
    }
    gangs(page, report.gangs());
    files(page, report.files());
    if (report.outputsCut() > 0) {
      page.line(
          "Output",
          "cut for %s (--capture); see results.jsonl"
              .formatted(count(report.outputsCut(), "task")));
    }
    page.line("Cost", cost(report));
    instances(page, report);
    events(page, report);
    failures(page, failures, report.notSucceeded() - report.cancelled());
    folder.ifPresent(path -> {
      page.text("\n").line("Results", path + "/ (results.jsonl, report.json)");
      if (report.succeeded() < report.tasks()) {
        again(page, report, path);
      }
      KeptOptions.latest(path).ifPresent(command -> page.line("Merged", command));
    });
    return page.toString();
  }

  private static void again(ReportPage page, RunReport report, Path folder) {
    KeptOptions.rerun(folder)
        .ifPresent(command -> {
          if (report.lost() > 0) {
            page.line("Lost", "these tasks may have run: check whether they took effect first");
          }
          page.line("Again", command);
        });
  }

  private static String headline(RunReport report) {
    if (report.tasks() == 0) {
      return "no tasks";
    }
    if (report.succeeded() < report.tasks()) {
      return "%s of %s succeeded"
          .formatted(number(report.succeeded()), count(report.tasks(), "task"));
    }
    return report.tasks() == 1
        ? "1 task succeeded"
        : "all %s succeeded".formatted(count(report.tasks(), "task"));
  }

  private static String statuses(RunReport report) {
    List<String> parts = new ArrayList<>();
    parts.add(number(report.succeeded()) + " succeeded");
    add(parts, report.failed(), "failed");
    add(parts, report.timedOut(), "timed out");
    add(parts, report.lost(), "lost");
    add(parts, report.cancelled(), "cancelled");
    boolean local = report.cluster().equals(Names.LOCAL);
    add(parts, report.outstanding(), local ? "not finished" : "without a result yet");
    return String.join(", ", parts);
  }

  private static void add(List<String> parts, long n, String what) {
    if (n > 0) {
      parts.add(number(n) + ' ' + what);
    }
  }

  private static String efficiency(RunReport report) {
    long slots = report.workers().stream().mapToLong(RunReport.Worker::slots).sum();
    String text =
        "%s of %s on %s"
            .formatted(
                percent(report.efficiency()),
                count(slots, "slot"),
                count(report.workers().size(), "worker"));
    Double nominal = report.efficiencyNominal();
    return nominal == null ? text : text + " (by requested time: " + percent(nominal) + ")";
  }

  /** Adds the time for making files ready, if it took a noticeable share of slot time. */
  private static void staging(ReportPage page, RunReport report) {
    RunReport.Quantiles each = report.stageMillis().get(Stage.STAGE);
    if (each != null && report.stagingShare() >= MUCH_STAGING) {
      String ways =
          report.workers().stream()
              .map(RunReport.Worker::shippedFiles)
              .filter(way -> !way.isEmpty())
              .distinct()
              .collect(Collectors.joining(", or "));
      page.line(
          "Staging",
          "%s of slot time, median %s, p99 %s%s"
              .formatted(
                  percent(report.stagingShare()),
                  duration(each.p50() / 1e3),
                  duration(each.p99() / 1e3),
                  ways.isEmpty() ? "" : " (files %s)".formatted(ways)));
    }
  }

  /** Adds the files that tasks brought back, and how many were left out. */
  private static void files(ReportPage page, @Nullable FileCounts files) {
    if (files == null) {
      return;
    }
    if (files.discarded() > 0) {
      page.line(
          "Files",
          "%s left by tasks and removed; --collect PATTERN brings files back"
              .formatted(number(files.discarded())));
    }
    if (files.count() + files.leftOut() + files.errors() == 0) {
      return;
    }
    List<String> parts = new ArrayList<>();
    parts.add("%s brought back (%s)".formatted(number(files.count()), bytes(files.bytes())));
    add(parts, files.leftOut(), "left out or not found" + firstLeftOut(files));
    if (files.errors() > 0) {
      parts.add("none from " + count(files.errors(), "task"));
    }
    boolean all = files.leftOut() == 0 && files.errors() == 0;
    page.line("Files", String.join(", ", parts) + (all ? "" : "; see results.jsonl"));
  }

  /** One of them, which often explains all; empty if none is known. */
  private static String firstLeftOut(FileCounts files) {
    String first = files.firstLeftOut();
    if (first.isEmpty()) {
      return "";
    }
    String shown =
        first.length() <= LEFT_OUT_CHARS ? first : first.substring(0, LEFT_OUT_CHARS) + "…";
    return " (%s%s)".formatted(files.leftOut() > 1 ? "such as " : "", Printable.line(shown));
  }

  private static String latency(RunReport.Latency latency) {
    return "median %s, p90 %s, p99 %s, worst %s"
        .formatted(
            duration(latency.p50() / 1e3),
            duration(latency.p90() / 1e3),
            duration(latency.p99() / 1e3),
            duration(latency.max() / 1e3));
  }

  /** Adds the times of HPC jobs: admission, the gang's start and its run. */
  private static void gangs(ReportPage page, RunReport.@Nullable Gangs gangs) {
    if (gangs != null) {
      page.line("HPC jobs", number(gangs.count()));
      page.line("Gang wait", latency(gangs.waitMillis()));
      page.line("Gang start", latency(gangs.startMillis()));
      page.line("Gang run", latency(gangs.runMillis()));
    }
  }

  private static String cost(RunReport report) {
    List<String> calls = new ArrayList<>();
    addCalls(calls, report.callsTo("sqs"), "SQS request");
    addCalls(calls, report.callsTo("dynamodb"), "DynamoDB request");
    addCalls(calls, report.callsTo("s3"), "S3 request");
    return calls.isEmpty()
        ? "nothing (no AWS requests)"
        : dollars(report.costUsd()) + " (" + String.join(", ", calls) + ")";
  }

  /** Adds the cost of the machines whose types have a known price. */
  private static void instances(ReportPage page, RunReport report) {
    Double usd = report.instancesUsd();
    if (usd == null) {
      return;
    }
    SortedMap<String, Integer> types = new TreeMap<>();
    boolean spot = false;
    for (RunReport.Worker worker : report.workers()) {
      if (worker.instanceUsd() != null) {
        types.merge(worker.instanceType(), 1, Integer::sum);
        spot |= worker.lifeCycle().equals("spot");
      }
    }
    page.line(
        "Instances",
        "%s %s while they served it (%s)"
            .formatted(
                spot ? "at most" : "about",
                Money.text(usd),
                types.entrySet().stream()
                    .map(type -> "%s %s".formatted(number(type.getValue()), type.getKey()))
                    .collect(Collectors.joining(", "))));
  }

  private static void addCalls(List<String> calls, long n, String noun) {
    if (n > 0) {
      calls.add(count(n, noun));
    }
  }

  /** Adds irregularities and their causes. */
  private static void events(ReportPage page, RunReport report) {
    if (report.reruns() > 0) {
      page.line(
          "Moved",
          "%s in %s: returned by a worker, or taken over from one that stopped responding"
              .formatted(
                  count(report.reruns(), "task"), count(report.bundlesTakenOver(), "bundle")));
    }
    if (report.retried() > 0) {
      page.line("Retried", count(report.retried(), "task") + " after a failure or timeout");
    }
    if (report.duplicatesDropped() > 0) {
      page.line(
          "Duplicates",
          "%s dropped: a message was duplicated, or a lease was lost"
              .formatted(count(report.duplicatesDropped(), "result")));
    }
  }

  private static void failures(ReportPage page, List<TaskFailure> failures, long all) {
    if (failures.isEmpty()) {
      return;
    }
    long shown = failures.stream().mapToLong(TaskFailure::alike).sum();
    String some = all <= shown ? "" : " (%s of %s)".formatted(number(shown), number(all));
    page.text("\n  Did not succeed%s:\n".formatted(some));
    for (TaskFailure failure : failures) {
      String head = "task %s %s".formatted(failure.task(), failure.status());
      page.paragraph(failure.error().isEmpty() ? head : head + ": " + failure.error());
      failure.stderrEnd().forEach(line -> page.quote(failure.stderrOf(), line));
      if (failure.alike() > 1) {
        page.text("      and %s like it\n".formatted(count(failure.alike() - 1, "more task")));
      }
    }
  }
}
