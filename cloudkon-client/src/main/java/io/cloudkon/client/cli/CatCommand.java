package io.cloudkon.client.cli;

import io.cloudkon.client.answers.TaskOutput;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.core.cli.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cat}: prints the output of one task. */
@Command(
    name = "cat",
    description = {
      "Prints what a task wrote to standard output, or what its handler returned:",
      "byte for byte, but on a terminal with control characters escaped."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {"", "Example: cloudkon cat 20260101-120000-1234/17"})
public final class CatCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "RUN/TASK",
      description = "RUN is a run, or its folder; TASK an id as in results.jsonl.")
  String task = "";

  @Option(names = "--stderr", description = "What it wrote to standard error instead.")
  boolean errors;

  @Option(names = "--latest", description = "From the last rerun that ran the task.")
  boolean latest;

  @Override
  public Integer call() {
    TaskOutput output = TaskOutput.of(task, errors, latest);
    int code =
        StandardOutput.write(
            Terminal.isStandardOutput() ? out -> out.write(printable(output)) : output::writeTo);
    if (!output.cut().isEmpty()) {
      System.err.println("cloudkon cat: " + output.cut());
    }
    return code;
  }

  private static byte[] printable(TaskOutput output) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    output.writeTo(all);
    return Printable.text(all.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
  }
}
