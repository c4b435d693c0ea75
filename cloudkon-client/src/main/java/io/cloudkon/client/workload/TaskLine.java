package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes a task as a line of a JSON Lines workload: the inverse of {@link JsonLineParser}, which
 * parses every line again before it is returned. Stateless and thread safe.
 */
public final class TaskLine {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final Pattern CONTROLS = Pattern.compile("[\\x7f-\\x9f]");
  private static final List<String> SHELL = List.of("/bin/sh", "-c");

  private TaskLine() {}

  /**
   * The line, without its end. It contains the id but not the ordinal.
   *
   * @throws UnwritableTaskException if no line represents this task: its work is in the blob store,
   *     its standard input is not text, or a value exceeds the limits of a workload
   */
  public static String of(Task task) throws UnwritableTaskException {
    return of(task, List.of());
  }

  /**
   * The line of a task with values.
   *
   * @param values see {@link TaskReader#values}; empty for none
   * @throws UnwritableTaskException as for {@link #of(Task)}
   */
  public static String of(Task task, List<String> values) throws UnwritableTaskException {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("id", task.id());
      work(json, task);
      if (task.timeoutMillis() > 0) {
        json.writeNumberField("timeout", task.timeoutMillis());
      }
      if (task.retries() != Task.RUNS_RETRIES) {
        json.writeNumberField("retries", task.retries());
      }
      List<String> files = paths(task.files());
      if (!files.isEmpty()) {
        strings(json, "files", files);
      }
      List<String> collect = task.files().collect();
      if (collect != null) {
        strings(json, "collect", collect);
      }
      if (!values.isEmpty()) {
        strings(json, "values", values);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String written = escaped(line.toString());
    check(task, written);
    return written;
  }

  /**
   * Escapes the control characters that JSON leaves as they are, because they could control a
   * terminal.
   */
  private static String escaped(String line) {
    return CONTROLS.matcher(line).replaceAll(c -> "\\\\u%04x".formatted((int) c.group().charAt(0)));
  }

  private static void work(JsonGenerator json, Task task)
      throws IOException, UnwritableTaskException {
    work(json, task, task.work());
  }

  private static void work(JsonGenerator json, Task task, Work work)
      throws IOException, UnwritableTaskException {
    switch (work) {
      case Work.Hpc hpc -> {
        json.writeNumberField("ranks", hpc.ranks());
        if (hpc.mpi() && hpc.each() instanceof Work.Exec exec) {
          strings(json, "mpi", exec.argv());
          surroundings(json, task, exec);
        } else {
          work(json, task, hpc.each());
        }
      }
      case Work.Noop noop -> json.writeBooleanField("noop", true);
      case Work.Sleep sleep -> json.writeNumberField("sleep", sleep.millis());
      case Work.Exec exec -> exec(json, task, exec);
      case Work.JavaCall java -> {
        json.writeStringField("java", java.handler());
        if (!java.args().isEmpty()) {
          strings(json, "args", java.args());
        }
      }
      case Work.Stored stored ->
          throw unwritable(
              task, "its work is in the blob store, %,d bytes".formatted(stored.content().bytes()));
    }
  }

  private static void exec(JsonGenerator json, Task task, Work.Exec exec)
      throws IOException, UnwritableTaskException {
    List<String> argv = exec.argv();
    if (argv.size() == 3 && argv.subList(0, 2).equals(SHELL) && !argv.getLast().isBlank()) {
      json.writeStringField("shell", argv.getLast());
    } else {
      strings(json, "exec", argv);
    }
    surroundings(json, task, exec);
  }

  private static void surroundings(JsonGenerator json, Task task, Work.Exec exec)
      throws IOException, UnwritableTaskException {
    if (!exec.environment().isEmpty()) {
      json.writeObjectFieldStart("env");
      for (Map.Entry<String, String> variable : new TreeMap<>(exec.environment()).entrySet()) {
        json.writeStringField(variable.getKey(), variable.getValue());
      }
      json.writeEndObject();
    }
    String directory = exec.directory();
    if (directory != null) {
      json.writeStringField("dir", directory);
    }
    if (exec.stdin().length > 0) {
      json.writeStringField("stdin", text(task, exec.stdin()));
    }
  }

  private static void strings(JsonGenerator json, String field, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  private static String text(Task task, byte[] stdin) throws UnwritableTaskException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(stdin)).toString();
    } catch (CharacterCodingException e) {
      throw unwritable(
          task, "its standard input, %,d bytes, is not UTF-8 text".formatted(stdin.length));
    }
  }

  /** Refuses a task whose line a workload would refuse or parse differently. */
  private static void check(Task task, String line) throws UnwritableTaskException {
    TaskDraft draft = new TaskDraft(true);
    byte[] bytes = line.getBytes(UTF_8);
    if (bytes.length > Workload.MAX_LINE_BYTES) {
      throw unwritable(task, "its line would have %,d bytes".formatted(bytes.length));
    }
    try {
      boolean read = new JsonLineParser().parse(bytes, 0, bytes.length, draft);
      if (!read || !same(draft.task(task.ordinal(), 1), task)) {
        throw unwritable(task, "it cannot be expressed in a workload");
      }
    } catch (BadLineException e) {
      throw unwritable(task, String.valueOf(e.getMessage()));
    }
  }

  private static boolean same(Task read, Task task) {
    // a line does not say where the files are stored
    return read.with(task.work()).with(task.files()).equals(task)
        && paths(read.files()).equals(paths(task.files()))
        && Objects.equals(read.files().collect(), task.files().collect())
        && same(read.work(), task.work());
  }

  private static List<String> paths(TaskFiles files) {
    return files.inputs().stream().map(InputFile::path).toList();
  }

  private static boolean same(Work read, Work work) {
    if (read instanceof Work.Hpc a && work instanceof Work.Hpc b) {
      return a.ranks() == b.ranks() && a.mpi() == b.mpi() && same(a.each(), b.each());
    }
    return (read instanceof Work.Exec a && work instanceof Work.Exec b)
        ? Arrays.equals(a.stdin(), b.stdin()) && sameCommand(a, b)
        : read.equals(work);
  }

  private static boolean sameCommand(Work.Exec a, Work.Exec b) {
    return a.equals(new Work.Exec(b.argv(), b.directory(), b.environment(), a.stdin()));
  }

  private static UnwritableTaskException unwritable(Task task, String why) {
    return new UnwritableTaskException(
        "task %s cannot be written as a line of a workload: %s"
            .formatted(Excerpt.quote(task.id()), why));
  }
}
