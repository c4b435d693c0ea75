package io.cloudkon.client.cli;

import io.cloudkon.client.report.ReportJson;
import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.ShortReport;
import io.cloudkon.client.report.TaskFailure;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.core.cli.Printable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The parts of a run that a person, or a script, wants to see.
 *
 * @param progress whether to show progress, where there is a terminal
 * @param quiet whether only what somebody must know is printed
 * @param json whether facts are printed as JSON, and nothing else
 * @param out where it is printed
 */
record OutputOptions(boolean progress, boolean quiet, boolean json, PrintStream out) {

  /** On standard output. */
  OutputOptions(boolean progress, boolean quiet, boolean json) {
    this(progress, quiet, json, System.out);
  }

  /** The same on standard error: something else has standard output. */
  OutputOptions onStandardError() {
    return new OutputOptions(progress, quiet, json, System.err);
  }

  /** How wide the progress line may be; empty if there is none. */
  OptionalInt columns() {
    return progress && !quiet ? Terminal.columns(System.getenv()) : OptionalInt.empty();
  }

  /** Prints a line, unless a script reads. */
  void line(String words) {
    if (!quiet && !json) {
      out.println(Printable.text(words));
      out.flush();
    }
  }

  /** Prints facts that are asked for: in words, or as an object. */
  void facts(String words, Supplier<Map<String, Object>> object) {
    result(false, words, object);
  }

  /**
   * Prints what came of something.
   *
   * @param well whether nobody need read it
   */
  void result(boolean well, String words, Supplier<Map<String, Object>> object) {
    if (json || !quiet || !well) {
      out.println(Printable.text(json ? JsonText.of(object.get()) : words));
      out.flush();
    }
  }

  /** Prints what came of a run. */
  void report(RunReport report, List<TaskFailure> failures, Optional<Path> folder) {
    if (json) {
      out.print(Printable.text(ReportJson.toJson(report)));
      out.flush();
    } else if (!quiet || report.succeeded() < report.tasks()) {
      ShortReport.print(out, report, failures, folder);
    }
  }
}
