package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The output of one task, or its handler's return value, as far as it was kept.
 *
 * @param parts the unchanged bytes; for an HPC job, one part for each rank
 * @param cut explains that the stream was longer, or why a failed task has none; empty if nothing
 *     is missing
 */
public record TaskOutput(List<byte[]> parts, String cut) {
  private static final byte[] LINE_END = {'\n'};

  /**
   * Finds a task.
   *
   * @param what {@code RUN/TASK}, where RUN may be a folder and ids may contain slashes
   * @param errors whether to return standard error instead of standard output
   * @param latest whether results of the run's reruns replace earlier ones
   * @throws UsageException if there is no such run, or the task has no result in it
   */
  public static TaskOutput of(String what, boolean errors, boolean latest) {
    int slash = what.lastIndexOf('/');
    if (slash < 1 || slash == what.length() - 1) {
      throw new UsageException(
          "%s: expected a run, or RUN/TASK, such as 20260101-120000-1234/17".formatted(what));
    }
    String first = what.substring(0, slash);
    for (; slash > 0; slash = what.lastIndexOf('/', slash - 1)) {
      Optional<FinishedRun> run = FinishedRun.find(what.substring(0, slash));
      if (run.isPresent()) {
        return of(run.get(), what.substring(slash + 1), errors ? "stderr" : "stdout", latest);
      }
    }
    throw FinishedRun.missing(first);
  }

  /**
   * Passes on the output of a task, or those of all tasks of a run in the order of its workload,
   * one at a time.
   *
   * @param what a run's id or folder, or as in {@link #of}
   * @return how many tasks of the run have no result, in words; empty if all have one
   */
  public static Optional<String> each(
      String what, boolean errors, boolean latest, Consumer<TaskOutput> to) {
    Optional<FinishedRun> run = FinishedRun.find(what);
    if (run.isEmpty()) {
      if (what.indexOf('/') < 0) {
        throw FinishedRun.missing(what);
      }
      to.accept(of(what, errors, latest));
      return Optional.empty();
    }
    AtomicLong results = new AtomicLong();
    try (AnswerFiles files = AnswerFiles.open(run.get().runs(latest))) {
      ChosenAnswers.of(files.parts(), Choice.ALL, Optional.empty())
          .forEach(answer -> {
            to.accept(of(answer.line(), errors ? "stderr" : "stdout").ended(answer.line()));
            results.incrementAndGet();
          });
    }
    return run.get().withoutResult(results.get());
  }

  private static TaskOutput of(FinishedRun run, String task, String stream, boolean latest) {
    try (AnswerFiles files = AnswerFiles.open(run.runs(latest))) {
      JsonNode line = latest(files, task);
      if (line != null) {
        return of(line, stream);
      }
    }
    throw new UsageException("%s: task '%s' has no result".formatted(run.answers(), task));
  }

  /** The line of the last run that ran the task, or else the last line; null if it has none. */
  private static @Nullable JsonNode latest(AnswerFiles files, String task) {
    JsonNode last = null;
    for (ChosenAnswers.Part part : files.parts().reversed()) {
      for (JsonNode line = part.next(); line != null; line = part.next()) {
        boolean isMeant = line.path(Column.TASK.key()).asText().equals(task);
        if (isMeant && !ChosenAnswers.neverRan(line)) {
          return line;
        }
        if (isMeant && last == null) {
          last = line;
        }
      }
    }
    return last;
  }

  private static TaskOutput of(JsonNode line, String stream) {
    List<byte[]> ranks = new ArrayList<>();
    line.path("ranks").forEach(rank -> ranks.add(bytes(rank, stream)));
    // An MPI program has one output for all of its ranks, as a task has.
    boolean isOfRanks = ranks.stream().anyMatch(part -> part.length > 0);
    boolean isReturned = !isOfRanks && stream.equals("stdout") && line.has("output");
    List<byte[]> parts =
        isOfRanks ? ranks : List.of(isReturned ? output(line) : bytes(line, stream));
    if (parts.stream().allMatch(part -> part.length == 0)) {
      return new TaskOutput(parts, failure(line, stream));
    }
    String field = isReturned ? "output" : stream;
    String cut =
        line.path(field + "Cut").asBoolean()
            ? "%d of %d bytes were kept; see --capture SIZE of the client, and --max-capture of the worker"
                .formatted(
                    parts.stream().mapToInt(part -> part.length).sum(),
                    line.path(field + "Bytes").asLong())
            : "";
    return new TaskOutput(parts, cut);
  }

  /** The same with a line end after what a handler returned, as others follow it. */
  private TaskOutput ended(JsonNode line) {
    byte[] last = parts.getLast();
    boolean isOpen = line.has("output") && last.length > 0 && last[last.length - 1] != '\n';
    return isOpen
        ? new TaskOutput(Stream.concat(parts.stream(), Stream.of(LINE_END)).toList(), cut)
        : this;
  }

  /** Explains an empty output of a failed task; empty if the task succeeded. */
  private static String failure(JsonNode line, String stream) {
    String status = line.path(Column.STATUS.key()).asText();
    if (status.equals(TaskStatus.SUCCEEDED.name())) {
      return "";
    }
    return "nothing was printed; it ended as %s: %s%s"
        .formatted(
            status,
            Printable.line(line.path(Column.ERROR.key()).asText()),
            stream.equals("stdout") && line.has("stderr") ? "; see --stderr" : "");
  }

  private static byte[] bytes(JsonNode from, String stream) {
    JsonNode exact = from.path(stream + "Base64");
    return exact.isMissingNode()
        ? utf8(from.path(stream))
        : Base64.getDecoder().decode(exact.asText());
  }

  private static byte[] output(JsonNode line) {
    return line.path("outputEncoding").asText().equals("base64")
        ? Base64.getDecoder().decode(line.path("output").asText())
        : utf8(line.path("output"));
  }

  private static byte[] utf8(JsonNode text) {
    return text.asText("").getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the bytes as they are. */
  public void writeTo(OutputStream out) throws IOException {
    for (byte[] part : parts) {
      out.write(part);
    }
  }
}
