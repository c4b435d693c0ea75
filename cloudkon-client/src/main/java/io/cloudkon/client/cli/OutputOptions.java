package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.client.report.ReportJson;
import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.ShortReport;
import io.cloudkon.client.report.TaskFailure;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.core.cli.JsonText;
import io.cloudkon.core.cli.Printable;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects and prints the output of a command.
 *
 * @param progress whether to show progress, if there is a terminal
 * @param quiet whether to print only what needs attention
 * @param json whether to print facts as JSON, and nothing else
 * @param out the destination
 */
record OutputOptions(boolean progress, boolean quiet, boolean json, PrintStream out) {

  /** Prints on standard output. */
  OutputOptions(boolean progress, boolean quiet, boolean json) {
    this(progress, quiet, json, System.out);
  }

  /** A copy that prints on standard error, because standard output is used for other data. */
  OutputOptions onStandardError() {
    return new OutputOptions(progress, quiet, json, System.err);
  }

  /**
   * That of a report on the way to the command's own outcome: none, if the outcome alone is wanted.
   */
  OutputOptions ofReport() {
    return quiet || json
        ? new OutputOptions(
            false, true, false, new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
        : new OutputOptions(true, false, false, out);
  }

  /** The width of the progress line; empty if there is none. */
  OptionalInt columns() {
    return progress && !quiet ? Terminal.columns(System.getenv()) : OptionalInt.empty();
  }

  /** Prints a line, unless the output is quiet or JSON. */
  void line(String words) {
    if (!quiet && !json) {
      out.println(Printable.text(words));
      out.flush();
    }
  }

  /** Prints facts that were requested, in words or as an object. */
  void facts(String words, Supplier<? extends Map<String, ? extends @Nullable Object>> object) {
    result(false, words, object);
  }

  /**
   * Prints an outcome.
   *
   * @param well whether the outcome is good, so that quiet output omits it
   */
  void result(
      boolean well,
      String words,
      Supplier<? extends Map<String, ? extends @Nullable Object>> object) {
    if (json || !quiet || !well) {
      out.println(Printable.text(json ? JsonText.of(object.get()) : words));
      out.flush();
    }
  }

  /** Prints the report of a run. */
  void report(RunReport report, List<TaskFailure> failures, Optional<Path> folder) {
    if (json) {
      out.print(Printable.text(ReportJson.toJson(report)));
      out.flush();
    } else if (!quiet || report.succeeded() < report.tasks()) {
      ShortReport.print(out, report, failures, folder);
    }
  }
}
