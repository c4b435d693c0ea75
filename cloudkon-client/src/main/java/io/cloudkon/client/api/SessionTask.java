package io.cloudkon.client.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cloudkon.core.error.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A task for a {@link Session}. Immutable and thread safe.
 *
 * <p>It has the fields of a line of a JSON Lines workload and follows the same rules, which are
 * checked on submission. Without an {@link #id}, its id is its number among the tasks offered to
 * the session, from 1.
 */
public final class SessionTask {
  private static final JsonMapper JSON = new JsonMapper();

  /** The task as a line; if empty, the task is in {@link #fields}. */
  private final String line;

  private final Map<String, Object> fields;

  private SessionTask(String line, Map<String, Object> fields) {
    this.line = line;
    this.fields = fields;
  }

  private static SessionTask of(String field, Object value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(field, value);
    return new SessionTask("", fields);
  }

  /** A program and its arguments, which are passed unchanged, without a shell. */
  public static SessionTask exec(String program, String... args) {
    return of("exec", both(program, args));
  }

  /** A command line for {@code /bin/sh -c}. */
  public static SessionTask shell(String commandLine) {
    return of("shell", commandLine);
  }

  /** A call of a handler in the worker, by the handler's name. */
  public static SessionTask java(String handler, String... args) {
    SessionTask call = of("java", handler);
    return args.length == 0 ? call : call.with("args", List.of(args));
  }

  /** A pause that occupies a slot, in whole milliseconds. */
  public static SessionTask sleep(Duration time) {
    return of("sleep", time.toMillis());
  }

  /** A task that does nothing, to measure the overhead. */
  public static SessionTask noop() {
    return of("noop", true);
  }

  /**
   * A line of a workload: text such as {@code exec gzip -9 a.csv}, or a JSON object. The methods
   * that change a task cannot be used with it.
   */
  public static SessionTask line(String line) {
    return new SessionTask(line, Map.of());
  }

  private static List<String> both(String first, String... rest) {
    List<String> all = new ArrayList<>(List.of(rest));
    all.addFirst(first);
    return List.copyOf(all);
  }

  /** A copy with this id, which must be unique in the session. */
  public SessionTask id(String id) {
    return with("id", id);
  }

  /** A copy with this time limit for each try; the default is the session's. */
  public SessionTask timeout(Duration limit) {
    return with("timeout", limit.toMillis());
  }

  /**
   * A copy with this number of retries after a failure or timeout; the default is the session's.
   */
  public SessionTask retries(int most) {
    return with("retries", most);
  }

  /** A copy of the command with variables added to the worker's environment. */
  public SessionTask env(Map<String, String> variables) {
    return with("env", Map.copyOf(variables));
  }

  /** A copy of the command that starts in a directory, relative to the task's own or absolute. */
  public SessionTask dir(String directory) {
    return with("dir", directory);
  }

  /** A copy of the command with a text on its standard input. */
  public SessionTask stdin(String text) {
    return with("stdin", text);
  }

  /**
   * A copy of the command with files from this program's directory in its own; needs a bucket. They
   * are read when the task is sent, soon after its submission, or by a resume: a task whose file is
   * gone by then fails.
   */
  public SessionTask files(String... paths) {
    return with("files", List.of(paths));
  }

  /**
   * A copy as an HPC job with this number of ranks, which run at the same time, each on one slot.
   */
  public SessionTask ranks(int ranks) {
    return with("ranks", ranks);
  }

  private SessionTask with(String field, Object value) {
    if (fields.isEmpty()) {
      throw new UsageException(
          "a task made from a line cannot be changed; expected the line to say '%s'"
              .formatted(field));
    }
    Map<String, Object> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new SessionTask("", more);
  }

  byte[] bytes() {
    return toString().getBytes(UTF_8);
  }

  /** The task as a line of a workload. */
  @Override
  public String toString() {
    if (fields.isEmpty()) {
      return line;
    }
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new UsageException("the task is invalid: " + e.getOriginalMessage(), e);
    }
  }
}
