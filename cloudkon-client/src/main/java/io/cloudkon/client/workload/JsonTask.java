package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads the fields of a JSON object, in any order, into the draft of a task. */
final class JsonTask {
  private static final int MAX_RETRIES = Limits.RETRIES;
  private static final int RETRIES_DIGITS = 9;

  /** The longest {@code id}, in bytes of UTF-8. */
  static final int MAX_ID_BYTES = 256;

  private static final String ONE_KIND =
      "expected exactly one of exec, shell, sleep, noop, java and mpi";

  private final JsonParser json;
  private final JsonValues values;
  private final int maxRetries;
  private final Set<JsonField> seen = EnumSet.noneOf(JsonField.class);

  /**
   * Creates a reader of objects.
   *
   * @param maxRetries the largest number of retries; 0 if the run allows none
   */
  JsonTask(JsonParser json, int maxRetries) {
    this.json = json;
    this.maxRetries = maxRetries;
    this.values = new JsonValues(json);
  }

  /** Reads from after the opening brace to the closing brace. */
  void read(TaskDraft draft) throws IOException, BadLineException {
    draft.clear();
    seen.clear();
    while (values.next() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonField field = JsonField.ofName(name);
      if (field == null) {
        throw JsonField.unknown(name);
      }
      if (!seen.add(field)) {
        throw new BadLineException(
            "the field \"" + name + "\" is given twice", "expected each field once");
      }
      value(field, draft);
    }
    checkTogether(draft);
  }

  private void value(JsonField field, TaskDraft draft) throws IOException, BadLineException {
    switch (field) {
      case ID -> draft.id = id();
      case EXEC -> command("exec", "[\"echo\", \"hello\"]", draft);
      case SHELL -> {
        kind(draft, Work.Kind.EXEC);
        draft.shell(notBlank("shell", "a command line for /bin/sh -c"));
      }
      case SLEEP -> {
        kind(draft, Work.Kind.SLEEP);
        draft.sleepMillis = sleep();
      }
      case NOOP -> {
        kind(draft, Work.Kind.NOOP);
        if (values.next() != JsonToken.VALUE_TRUE) {
          throw values.wrongType("noop", "true");
        }
      }
      case JAVA -> {
        kind(draft, Work.Kind.JAVA);
        // The field with the arguments may come before the name.
        draft.words.addFirst(notBlank("java", "the name of a handler"));
      }
      case ARGS -> args(draft);
      case ENV -> values.environment("env", draft.environment);
      case DIR -> draft.directory = notBlank("dir", "a directory");
      case STDIN -> stdin(draft);
      case TIMEOUT -> draft.timeoutMillis = timeout();
      case RETRIES -> draft.retries = retries();
      case RANKS -> draft.ranks = ranks();
      case MPI -> {
        command("mpi", "[\"./solver\", \"input.dat\"]", draft);
        draft.mpi = true;
      }
      case FILES -> {
        values.strings("files", true, draft.files);
        OwnFileNames.checkFiles(draft.files);
      }
      case COLLECT -> {
        List<String> patterns = new ArrayList<>();
        values.strings("collect", true, patterns);
        OwnFileNames.checkPatterns(patterns);
        draft.collect = patterns;
      }
      case VALUES -> values.strings("values", true, draft.values);
    }
  }

  private String id() throws IOException, BadLineException {
    String id = values.stringOrInteger("id");
    // UTF-8 takes at most three bytes per char.
    if (id.isEmpty()
        || (id.length() > MAX_ID_BYTES / 3 && id.getBytes(UTF_8).length > MAX_ID_BYTES)) {
      throw new BadLineException(
          id.isEmpty() ? "the id is empty" : "the id " + Excerpt.quote(id) + " is too long",
          "expected 1 to " + MAX_ID_BYTES + " bytes, or no id: the line number is then the id");
    }
    return id;
  }

  private void command(String field, String example, TaskDraft draft)
      throws IOException, BadLineException {
    kind(draft, Work.Kind.EXEC);
    values.strings(field, true, draft.words);
    if (draft.words.isEmpty() || draft.words.getFirst().isEmpty()) {
      throw new BadLineException(
          "\"" + field + "\" has no program", "expected an array such as " + example);
    }
  }

  private int ranks() throws IOException, BadLineException {
    String number = values.numberOrNull();
    if (number == null) {
      throw values.wrongType("ranks", Ranks.EXPECTED);
    }
    int ranks = Ranks.parse(number);
    if (ranks == 0) {
      throw new BadLineException(
          "\"ranks\" is " + Excerpt.quote(number), "expected " + Ranks.EXPECTED);
    }
    return ranks;
  }

  private void args(TaskDraft draft) throws IOException, BadLineException {
    if (draft.kind == Work.Kind.EXEC) {
      throw onlyWith("args", "java");
    }
    values.strings("args", false, draft.words);
  }

  private long sleep() throws IOException, BadLineException {
    String number = values.numberOrNull();
    if (number == null) {
      throw values.wrongType("sleep", "a number of milliseconds, 0 or more");
    }
    return DurationParser.parseNumber("sleep", number);
  }

  private long timeout() throws IOException, BadLineException {
    String expected = "a number of milliseconds or a string such as \"30s\"";
    String number = values.numberOrNull();
    long millis =
        number != null
            ? DurationParser.parseNumber("timeout", number)
            : DurationParser.parse("timeout", values.currentString("timeout", expected));
    if (millis == 0) {
      throw new BadLineException(
          "the timeout is 0", "expected more than 0; leave the timeout out for no limit");
    }
    return millis;
  }

  private void stdin(TaskDraft draft) throws IOException, BadLineException {
    String text = values.string("stdin");
    if (draft.building) {
      draft.stdin = text.getBytes(UTF_8);
    }
  }

  private int retries() throws IOException, BadLineException {
    String expected = "a whole number from 0 to " + MAX_RETRIES;
    String number = values.numberOrNull();
    if (number == null) {
      throw values.wrongType("retries", expected);
    }
    boolean written =
        number.length() <= RETRIES_DIGITS && number.chars().allMatch(c -> c >= '0' && c <= '9');
    int retries = written ? Integer.parseInt(number) : -1;
    if (retries < 0 || retries > MAX_RETRIES) {
      throw retries(number, expected);
    }
    if (retries > maxRetries) {
      throw retries(number, "0: a run with at-most-once consistency tries each task once");
    }
    return retries;
  }

  private static BadLineException retries(String number, String expected) {
    return new BadLineException("\"retries\" is " + Excerpt.quote(number), "expected " + expected);
  }

  private String notBlank(String what, String expected) throws IOException, BadLineException {
    String text = values.plain(what);
    if (text.isBlank()) {
      throw new BadLineException("\"" + what + "\" is blank", "expected " + expected);
    }
    return text;
  }

  private static void kind(TaskDraft draft, Work.Kind kind) throws BadLineException {
    if (draft.kind != null) {
      throw new BadLineException("the task has more than one kind of work", ONE_KIND);
    }
    draft.kind = kind;
  }

  private void checkTogether(TaskDraft draft) throws BadLineException {
    if (draft.kind == null) {
      throw new BadLineException("the task has no work", ONE_KIND);
    }
    if (draft.mpi && draft.ranks == 0) {
      throw new BadLineException(
          "\"mpi\" does not say how many ranks its program has",
          "expected \"ranks\" beside it, such as {\"mpi\": [\"./solver\"], \"ranks\": 4}");
    }
    if (draft.kind != Work.Kind.JAVA) {
      only(JsonField.ARGS, "java");
    }
    if (draft.kind != Work.Kind.EXEC) {
      only(JsonField.ENV, "exec, shell and mpi");
      only(JsonField.DIR, "exec, shell and mpi");
      only(JsonField.STDIN, "exec, shell and mpi");
    }
    if (draft.kind != Work.Kind.EXEC || draft.ranks > 0) {
      only(JsonField.FILES, "exec and shell, without ranks");
      only(JsonField.COLLECT, "exec and shell, without ranks");
    }
    if (draft.hasFiles() && draft.startsElsewhere()) {
      throw new BadLineException(
          "\"dir\" is absolute, but files are in a fresh directory of the task's own",
          "expected a folder in it, or no dir");
    }
  }

  private void only(JsonField field, String with) throws BadLineException {
    if (seen.contains(field)) {
      throw onlyWith(field.word, with);
    }
  }

  private static BadLineException onlyWith(String field, String with) {
    return new BadLineException(
        "\"" + field + "\" does not belong to this kind of work",
        "expected it with " + with + " only");
  }
}
