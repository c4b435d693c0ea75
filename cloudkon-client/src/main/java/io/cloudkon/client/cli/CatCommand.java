package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.client.answers.TaskOutput;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.client.report.Wording;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.cli.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cat}: prints the output of one task, or of all. */
@Command(
    name = "cat",
    description = {
      "Prints what a task wrote to standard output, or what its handler returned:",
      "byte for byte, but on a terminal with control characters escaped. Of a whole",
      "run, it prints the outputs of all tasks, in the order of the workload. Text",
      "of several tasks or ranks gets a line end where it has none."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon cat 20260101-120000-k3x9q2/17",
      "  cloudkon cat out > all.txt"
    })
public final class CatCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "RUN[/TASK]",
      description = "RUN is a run, or its folder; TASK an id as in results.jsonl.")
  String what = "";

  @Option(names = "--stderr", description = "What it wrote to standard error instead.")
  boolean errors;

  @Option(names = "--latest", description = "From the last rerun that ran the task.")
  boolean latest;

  @Override
  public Integer call() {
    boolean escaped = Terminal.isStandardOutput();
    Notes notes = new Notes();
    int code =
        StandardOutput.write(out -> {
          try {
            notes.about =
                TaskOutput.each(
                    what,
                    errors,
                    latest,
                    output -> {
                      notes.midLine = write(output, escaped, out) && escaped;
                      notes.add(output);
                    });
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        });
    notes.tell();
    return code;
  }

  /** The remarks about the outputs, which follow them. */
  private static final class Notes {
    private long outputs;
    private long cut;
    private String firstCut = "";
    private List<String> about = List.of();

    /** Whether the terminal's last line is unfinished, so that a remark would continue it. */
    private boolean midLine;

    void add(TaskOutput output) {
      outputs++;
      if (!output.cut().isEmpty()) {
        firstCut = cut++ == 0 ? output.cut() : firstCut;
      }
    }

    void tell() {
      if (midLine && (cut > 0 || !about.isEmpty())) {
        System.err.println();
      }
      if (cut > 0) {
        say(
            outputs == 1
                ? firstCut
                : "%s: cut, or of a failed task that printed nothing; cat RUN/TASK says why"
                    .formatted(Wording.count(cut, "output")));
      }
      about.forEach(Notes::say);
    }

    private static void say(String text) {
      System.err.println("cloudkon cat: " + Printable.text(text));
    }
  }

  /** Writes an output; returns whether its last line is unfinished. */
  private static boolean write(TaskOutput output, boolean escaped, OutputStream out) {
    try {
      if (escaped) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        output.writeTo(all);
        out.write(Printable.text(all.toString(UTF_8)).getBytes(UTF_8));
      } else {
        output.writeTo(out);
      }
      byte[] last = output.parts().isEmpty() ? new byte[0] : output.parts().getLast();
      return last.length > 0 && last[last.length - 1] != '\n';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
