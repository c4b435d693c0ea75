package io.cloudkon.client.cli;

import io.cloudkon.client.answers.AnswerFormat;
import io.cloudkon.client.answers.Choice;
import io.cloudkon.client.answers.FinishedRun;
import io.cloudkon.client.status.TerminalScreen;
import io.cloudkon.core.cli.StandardOutput;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code results}: shows the results of a run whose folder is on this machine. */
@Command(
    name = "results",
    description = "Shows a run's results, each with its task's command.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Columns: task, index, status, exitCode, startedAt, seconds, cpuSeconds,",
      "maxRssBytes, worker, attempt, tries, command, values, stdout, stderr, output,",
      "error; value1, value2 …: what {1}, {2} … stood for; values: all of them, a",
      "column each.",
      "",
      "Examples:",
      "  cloudkon results 20260101-120000-k3x9q2 --failed",
      "  cloudkon results out --sort -seconds --columns task,seconds,command",
      "  cloudkon results out --format csv --columns values,stdout > results.csv",
    })
public final class ResultsCommand implements Callable<Integer> {

  @Parameters(paramLabel = "RUN|FOLDER", description = "The run's id, or its folder.")
  String run = "";

  @Option(names = "--failed", description = "Only tasks that did not succeed.")
  boolean failed;

  @Option(names = "--latest", description = "Include the results of the run's reruns.")
  boolean latest;

  @Option(
      names = "--status",
      paramLabel = "STATUS,…",
      description = "Only tasks with this status, such as LOST.")
  @Nullable String status;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, tsv, csv or jsonl. Default: table.")
  AnswerFormat format = AnswerFormat.TABLE;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      description = "Ascending; -COLUMN: descending. Default: index.")
  String sort = "index";

  @Option(
      names = "--columns",
      paramLabel = "COLUMN,…",
      description = "These columns, in this order.")
  @Nullable String columns;

  @Override
  public Integer call() {
    Choice choice =
        Choice.of(failed, Optional.ofNullable(status), sort, Optional.ofNullable(columns));
    FinishedRun found = FinishedRun.of(run);
    return StandardOutput.write(out ->
        found.write(choice, format, latest, out, width(), new CommandMessages("results")::say));
  }

  private OptionalInt width() {
    return format == AnswerFormat.TABLE
        ? TerminalScreen.columns(System.getenv())
        : OptionalInt.empty();
  }
}
