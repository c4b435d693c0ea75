package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.Work;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Parses the text format: {@code noop}, {@code sleep DURATION}, {@code exec COMMAND…} (the
 * unchanged rest of the line, for {@code /bin/sh -c}), {@code java NAME ARGS…} (split by {@link
 * Words}), and HPC jobs: {@code hpc N} before one of these, and {@code mpi N PROGRAM ARGS…} (split
 * likewise). Blank lines, and lines whose first non-blank character is {@code #}, contain no task.
 */
final class TextLineParser implements LineParser {
  /** The programs that start an MPI program elsewhere; here the manager of a gang does. */
  private static final Set<String> MPI_LAUNCHERS = Set.of("mpirun", "mpiexec", "srun");

  private static final byte[] NOOP = "noop".getBytes(US_ASCII);
  private static final byte[] SLEEP = "sleep".getBytes(US_ASCII);
  private static final byte[] EXEC = "exec".getBytes(US_ASCII);
  private static final byte[] JAVA = "java".getBytes(US_ASCII);
  private static final byte[] HPC = "hpc".getBytes(US_ASCII);
  private static final byte[] MPI = "mpi".getBytes(US_ASCII);

  private static final List<String> TASKS = List.of("noop", "sleep", "exec", "java");
  private static final List<String> KINDS = List.of("noop", "sleep", "exec", "java", "hpc", "mpi");
  private static final String EXPECTED_TASK = "expected noop, sleep, exec or java";
  private static final String EXPECTED = "expected noop, sleep, exec, java, hpc or mpi";

  private final Words words = new Words();

  @Override
  public boolean parse(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException {
    int start = LineParser.skipBlanks(bytes, from, to);
    if (start == to || bytes[start] == '#') {
      return false;
    }
    draft.clear();
    int end = endOfWord(bytes, start, to);
    if (is(bytes, start, end, HPC)) {
      hpc(bytes, end, to, draft);
    } else if (is(bytes, start, end, MPI)) {
      mpi(bytes, end, to, draft);
    } else if (!task(bytes, start, end, to, draft)) {
      throw unknown("", bytes, start, end, to, KINDS, EXPECTED);
    }
    return true;
  }

  private static int endOfWord(byte[] bytes, int start, int to) {
    int end = start;
    while (end < to && !LineParser.isBlank(bytes[end])) {
      end++;
    }
    return end;
  }

  /**
   * Parses a task whose kind is the word from start to end; returns false if that is not a kind.
   */
  private boolean task(byte[] bytes, int start, int end, int to, TaskDraft draft)
      throws BadLineException {
    int rest = LineParser.skipBlanks(bytes, end, to);
    if (is(bytes, start, end, SLEEP)) {
      sleep(bytes, rest, to, draft);
    } else if (is(bytes, start, end, NOOP)) {
      noop(bytes, rest, to, draft);
    } else if (is(bytes, start, end, JAVA)) {
      java(bytes, rest, to, draft);
    } else if (is(bytes, start, end, EXEC)) {
      exec(bytes, rest, to, draft);
    } else {
      return false;
    }
    return true;
  }

  private void hpc(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException {
    int start = ranks("hpc", "hpc 4 java echo hello", bytes, from, to, draft);
    if (start == to) {
      throw new BadLineException("hpc " + draft.ranks + " without a task", EXPECTED_TASK);
    }
    int end = endOfWord(bytes, start, to);
    if (is(bytes, start, end, HPC) || is(bytes, start, end, MPI)) {
      throw new BadLineException(
          "hpc " + draft.ranks + " of an HPC job: " + Excerpt.quote(bytes, start, to),
          EXPECTED_TASK + " after the number of ranks");
    }
    if (!task(bytes, start, end, to, draft)) {
      throw unknown("hpc " + draft.ranks + " ", bytes, start, end, to, TASKS, EXPECTED_TASK);
    }
  }

  private void mpi(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException {
    int rest = ranks("mpi", "mpi 4 ./solver input.dat", bytes, from, to, draft);
    words(
        bytes,
        rest,
        to,
        draft,
        "mpi " + draft.ranks + " without a program",
        "expected one, such as mpi 4 ./solver input.dat");
    draft.mpi = true;
    draft.kind = Work.Kind.EXEC;
  }

  /** Parses the number of ranks; returns the start of the rest. */
  private static int ranks(
      String word, String example, byte[] bytes, int from, int to, TaskDraft draft)
      throws BadLineException {
    int start = LineParser.skipBlanks(bytes, from, to);
    if (start == to) {
      throw new BadLineException(
          word + " without a number of ranks", "expected one, such as " + example);
    }
    int end = endOfWord(bytes, start, to);
    draft.ranks = Ranks.parse(bytes, start, end);
    if (draft.ranks == 0) {
      throw new BadLineException(
          word + " " + Excerpt.quote(bytes, start, end) + " is not a number of ranks",
          "expected " + Ranks.EXPECTED + ", such as " + example);
    }
    return LineParser.skipBlanks(bytes, end, to);
  }

  private static void noop(byte[] bytes, int rest, int to, TaskDraft draft)
      throws BadLineException {
    if (rest < to) {
      throw new BadLineException(
          "noop takes no arguments, but " + Excerpt.quote(bytes, rest, to) + " follows",
          "expected nothing after noop");
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
    draft.sleepMillis =
        DurationParser.parse("sleep", bytes, rest, LineParser.trimEnd(bytes, rest, to));
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
    words(
        bytes,
        rest,
        to,
        draft,
        "java without the name of a handler",
        "expected one, such as java sha256 hello");
    draft.kind = Work.Kind.JAVA;
  }

  /** Reads the words up to the end of the line; the first must not be empty. */
  private void words(
      byte[] bytes, int from, int to, TaskDraft draft, String without, String expected)
      throws BadLineException {
    words.reset(bytes, from, to);
    if (!words.next() || words.isEmpty()) {
      throw new BadLineException(without, expected);
    }
    do {
      if (draft.building) {
        draft.words.add(words.word());
      }
    } while (words.next());
  }

  /**
   * The refusal of a word that is no kind of task.
   *
   * @param before the words of the line before it
   */
  private static BadLineException unknown(
      String before,
      byte[] bytes,
      int start,
      int end,
      int to,
      List<String> known,
      String expected) {
    if (bytes[start] == '{') {
      return new BadLineException(
          "a JSON object in a text workload",
          expected + "; a file of JSON objects must be named *.jsonl");
    }
    String word = new String(bytes, start, Math.min(end - start, 1024), UTF_8);
    String near =
        MPI_LAUNCHERS.contains(word)
            ? "did you mean \"mpi RANKS PROGRAM\"? "
            : WordHint.hint(word, known);
    String command =
        before + "exec " + new String(bytes, start, Math.min(to - start, 1024), UTF_8).strip();
    return new BadLineException(
        "unknown kind of task " + Excerpt.quote(word),
        (near.isEmpty() ? "did you mean " + Excerpt.quote(command) + "? " : near) + expected);
  }

  private static boolean is(byte[] bytes, int from, int to, byte[] word) {
    return Arrays.equals(bytes, from, to, word, 0, word.length);
  }
}
