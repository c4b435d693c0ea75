package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.Work;
import java.util.Arrays;
import java.util.List;

/**
 * The text format: {@code noop}, {@code sleep DURATION}, {@code exec COMMAND…} (the rest of the
 * line as it stands, for {@code /bin/sh -c}), {@code java NAME ARGS…} (split by {@link Words}).
 * Blank lines, and lines whose first non-blank character is {@code #}, hold no task.
 */
final class TextLineParser implements LineParser {
  private static final byte[] NOOP = "noop".getBytes(US_ASCII);
  private static final byte[] SLEEP = "sleep".getBytes(US_ASCII);
  private static final byte[] EXEC = "exec".getBytes(US_ASCII);
  private static final byte[] JAVA = "java".getBytes(US_ASCII);
  private static final byte[] HPC = "hpc".getBytes(US_ASCII);
  private static final byte[] MPI = "mpi".getBytes(US_ASCII);

  private static final List<String> KINDS = List.of("noop", "sleep", "exec", "java");
  private static final String EXPECTED = "expected noop, sleep, exec or java";

  private final Words words = new Words();

  @Override
  public boolean parse(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException {
    int start = LineParser.skipBlanks(bytes, from, to);
    if (start == to || bytes[start] == '#') {
      return false;
    }
    int end = start + 1;
    while (end < to && !LineParser.isBlank(bytes[end])) {
      end++;
    }
    int rest = LineParser.skipBlanks(bytes, end, to);
    draft.clear();
    if (is(bytes, start, end, SLEEP)) {
      sleep(bytes, rest, to, draft);
    } else if (is(bytes, start, end, NOOP)) {
      noop(bytes, rest, to, draft);
    } else if (is(bytes, start, end, JAVA)) {
      java(bytes, rest, to, draft);
    } else if (is(bytes, start, end, EXEC)) {
      exec(bytes, rest, to, draft);
    } else {
      throw unknown(bytes, start, end);
    }
    return true;
  }

  private static void noop(byte[] bytes, int rest, int to, TaskDraft draft)
      throws BadLineException {
    if (rest < to) {
      throw new BadLineException(
          "noop takes no arguments, but " + Excerpt.quote(bytes, rest, to) + " follows",
          "expected noop alone on its line");
    }
    draft.kind = Work.Kind.NOOP;
  }

  private static void sleep(byte[] bytes, int rest, int to, TaskDraft draft)
      throws BadLineException {
    if (rest == to) {
      throw new BadLineException(
          "sleep without a duration", "expected one, such as sleep 16 (milliseconds) or sleep 5s");
    }
    draft.kind = Work.Kind.SLEEP;
    draft.sleepMillis = Durations.parse("sleep", bytes, rest, LineParser.trimEnd(bytes, rest, to));
  }

  private static void exec(byte[] bytes, int rest, int to, TaskDraft draft)
      throws BadLineException {
    if (rest == to) {
      throw new BadLineException(
          "exec without a command", "expected one for /bin/sh -c, such as exec echo hello");
    }
    draft.kind = Work.Kind.EXEC;
    if (draft.building) {
      draft.shell(new String(bytes, rest, to - rest, UTF_8));
    }
  }

  private void java(byte[] bytes, int rest, int to, TaskDraft draft) throws BadLineException {
    words.reset(bytes, rest, to);
    if (!words.next() || words.isEmpty()) {
      throw new BadLineException(
          "java without the name of a handler", "expected one, such as java sha256 hello");
    }
    do {
      if (draft.building) {
        draft.words.add(words.word());
      }
    } while (words.next());
    draft.kind = Work.Kind.JAVA;
  }

  private static BadLineException unknown(byte[] bytes, int start, int end) {
    if (is(bytes, start, end, HPC) || is(bytes, start, end, MPI)) {
      return new BadLineException(
          Excerpt.quote(bytes, start, end) + " is not supported yet: " + HPC_LATER, EXPECTED);
    }
    if (bytes[start] == '{') {
      return new BadLineException(
          "a JSON object in a text workload",
          EXPECTED + "; a file of JSON objects must be named *.jsonl");
    }
    String word = new String(bytes, start, Math.min(end - start, 1024), UTF_8);
    return new BadLineException(
        "unknown kind of task " + Excerpt.quote(word), Nearest.hint(word, KINDS) + EXPECTED);
  }

  private static boolean is(byte[] bytes, int from, int to, byte[] word) {
    return Arrays.equals(bytes, from, to, word, 0, word.length);
  }
}
