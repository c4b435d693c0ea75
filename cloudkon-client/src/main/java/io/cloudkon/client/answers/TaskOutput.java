package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
 * @param parts the unchanged bytes; for an HPC job, one part for each rank that printed. Where
 *     other outputs are printed beside it, text without a line end has one
 * @param cut explains that the stream was longer, or why a failed task has none; empty if nothing
 *     is missing
 */
public record TaskOutput(List<byte[]> parts, String cut) {
  /**
   * Finds a task.
   *
   * @param what {@code RUN/TASK}, where RUN may be a folder and ids may contain slashes
   * @param errors whether to return standard error instead of standard output
   * @param latest whether results of the run's reruns replace earlier ones
   * @throws UsageException if there is no such run, or the task has no result in it
   */
  public static TaskOutput of(String what, boolean errors, boolean latest) {
    Named named = find(what);
    return of(named.run(), named.task(), errors ? "stderr" : "stdout", latest);
  }

  /** A task that a user names by its run and its id. */
  private record Named(FinishedRun run, String task) {}

  private static Named find(String what) {
    int slash = what.lastIndexOf('/');
    if (slash < 1 || slash == what.length() - 1) {
      throw new UsageException(
          "%s: expected a run, or RUN/TASK, such as 20260101-120000-k3x9q2/17".formatted(what));
    }
    String first = what.substring(0, slash);
    for (; slash > 0; slash = what.lastIndexOf('/', slash - 1)) {
      Optional<FinishedRun> run = FinishedRun.find(what.substring(0, slash));
      if (run.isPresent()) {
        return new Named(run.get(), what.substring(slash + 1));
      }
    }
    throw FinishedRun.missing(first);
  }

  /**
   * Passes on the output of a task, or those of all tasks of a run in the order of its workload,
   * one at a time.
   *
   * @param what a run's id or folder, or as in {@link #of}
   * @return what a user should know about them, a line each: that there are reruns, whose results
   *     were not asked for, and how many tasks of the run have no result
   */
  public static List<String> each(
      String what, boolean errors, boolean latest, Consumer<TaskOutput> to) {
    Optional<FinishedRun> run = FinishedRun.find(what);
    if (run.isEmpty()) {
      if (what.indexOf('/') < 0) {
        throw FinishedRun.missing(what);
      }
      Named named = find(what);
      to.accept(of(named.run(), named.task(), errors ? "stderr" : "stdout", latest));
      return named.run().reruns(latest).stream().toList();
    }
    AtomicLong results = new AtomicLong();
    try (AnswerFiles files = AnswerFiles.open(run.get().runs(latest))) {
      ChosenAnswers.of(files.parts(), Choice.ALL, Optional.empty())
          .forEach(answer -> {
            to.accept(of(answer.line(), errors ? "stderr" : "stdout", true));
            results.incrementAndGet();
          });
    }
    return Stream.concat(
            run.get().reruns(latest).stream(), run.get().withoutResult(results.get()).stream())
        .toList();
  }

  private static TaskOutput of(FinishedRun run, String task, String stream, boolean latest) {
    try (AnswerFiles files = AnswerFiles.open(run.runs(latest))) {
      JsonNode line = latest(files, task);
      if (line != null) {
        return of(line, stream, false);
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

  /**
   * The output in a line of results.
   *
   * @param amongOthers whether outputs of other tasks follow it
   */
  private static TaskOutput of(JsonNode line, String stream, boolean amongOthers) {
    List<Part> parts = new ArrayList<>();
    line.path("ranks").forEach(rank -> parts.add(Part.of(rank, stream)));
    parts.removeIf(rank -> rank.bytes().length == 0);
    boolean isReturned = parts.isEmpty() && stream.equals("stdout") && line.has("output");
    if (parts.isEmpty()) {
      // An MPI program has one output for all of its ranks, as a task has.
      parts.add(isReturned ? Part.returned(line) : Part.of(line, stream));
    }
    int kept = parts.stream().mapToInt(part -> part.bytes().length).sum();
    boolean ends = amongOthers || parts.size() > 1;
    List<byte[]> bytes = parts.stream().map(part -> ends ? part.ended() : part.bytes()).toList();
    if (kept == 0) {
      return new TaskOutput(bytes, failure(line, stream));
    }
    String field = isReturned ? "output" : stream;
    String cut =
        line.path(field + "Cut").asBoolean()
            ? "%d of %d bytes were kept; see --capture SIZE of the client, and --max-capture of the worker"
                .formatted(kept, line.path(field + "Bytes").asLong())
            : "";
    return new TaskOutput(bytes, cut);
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

  /** Writes the bytes as they are. */
  public void writeTo(OutputStream out) throws IOException {
    for (byte[] part : parts) {
      out.write(part);
    }
  }

  /**
   * The output of a task or rank.
   *
   * @param text whether it is text, as far as results tell
   */
  private record Part(byte[] bytes, boolean text) {

    static Part of(JsonNode from, String stream) {
      JsonNode exact = from.path(stream + "Base64");
      return exact.isMissingNode()
          ? new Part(utf8(from.path(stream)), true)
          : new Part(Base64.getDecoder().decode(exact.asText()), false);
    }

    static Part returned(JsonNode line) {
      return line.path("outputEncoding").asText().equals("base64")
          ? new Part(Base64.getDecoder().decode(line.path("output").asText()), false)
          : new Part(utf8(line.path("output")), true);
    }

    private static byte[] utf8(JsonNode text) {
      return text.asText("").getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes; text with a line end, so that what follows does not continue its last line. */
    byte[] ended() {
      if (!text || bytes.length == 0 || bytes[bytes.length - 1] == '\n') {
        return bytes;
      }
      byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
      ended[bytes.length] = '\n';
      return ended;
    }
  }
}
