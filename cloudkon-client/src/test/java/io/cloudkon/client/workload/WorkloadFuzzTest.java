package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutated workloads: only a usage error or success, and what is accepted can be read whole. */
class WorkloadFuzzTest {
  private static final int INPUTS = 100_000;

  private static final String TEXT =
      """
      # a comment
      noop
      sleep 16
      sleep 1.5s

      exec echo "a b" 'é' $HOME
      java sha256 'a b' "c\\"d" e\\ f
      hpc 4 sleep 5s
      mpi 2 ./solve 'a b' c
      """;

  private static final String JSONL =
      """
      {"id": "a", "exec": ["echo", "\\u00e9"], "env": {"A": "1"}, "dir": "/d", "stdin": "é"}
      {"id": 7, "sleep": 1.5e1, "timeout": "30s", "retries": 0}

      {"java": "sha256", "args": ["x", "y"], "timeout": 5}
      {"id": "b", "noop": true}
      {"shell": "echo hi", "ranks": 4}
      {"id": "m", "mpi": ["./solve", "x"], "ranks": 2}
      """;

  private static final String[] PIECES = {
    "\n",
    "\r\n",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\\",
    ":",
    ",",
    "-",
    "1",
    "e",
    ".",
    " ",
    "\0",
    "#",
    "\ufeff",
    "\ud83d\ude00",
    "null",
    "true",
    "1e400",
    "99999999999999999999",
    "\\ud800",
    "id",
    "\"id\": 1, ",
    "\"noop\": true",
    "hpc 4 ",
    "mpi 2 ",
    "\"ranks\": 3, ",
    "sleep "
  };

  private static byte[] mutate(byte[] seed, Random random) {
    byte[] bytes = seed.clone();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      int at = random.nextInt(bytes.length + 1);
      int to = Math.min(bytes.length, at + random.nextInt(12));
      byte[] piece =
          switch (random.nextInt(6)) {
            case 0 -> new byte[0];
            case 1 -> new byte[] {(byte) random.nextInt(256)};
            case 2 -> Arrays.copyOfRange(seed, at % seed.length, seed.length);
            default -> PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8);
          };
      int keepFrom = random.nextBoolean() ? at : to;
      byte[] next = Arrays.copyOf(bytes, at + piece.length + bytes.length - keepFrom);
      System.arraycopy(piece, 0, next, at, piece.length);
      System.arraycopy(bytes, keepFrom, next, at + piece.length, bytes.length - keepFrom);
      bytes = next;
    }
    return bytes;
  }

  /** The tasks, or the one message that refuses them. */
  private static Object checked(MemorySource source, WorkloadFormat format) {
    try (Workload workload = Workload.open(source, format, MemorySource.SMALL);
        TaskReader reader = workload.read()) {
      List<Task> tasks = MemorySource.rest(reader);
      assertThat(workload.summary()).map(WorkloadSummary::tasks).contains(tasks.size());
      return described(tasks);
    } catch (UsageException e) {
      return oneLine(e);
    }
  }

  /** The same without a check before. */
  private static Object streamed(MemorySource source, WorkloadFormat format) {
    try (Workload workload = Workload.stream(source, format, MemorySource.SMALL);
        TaskReader reader = workload.read()) {
      return described(MemorySource.rest(reader));
    } catch (UsageException e) {
      return oneLine(e);
    }
  }

  private static List<String> described(List<Task> tasks) {
    List<String> all = new ArrayList<>();
    for (Task task : tasks) {
      all.add(task.ordinal() + " " + task.id() + " " + task.work().kind());
    }
    return all;
  }

  private static String oneLine(UsageException e) {
    assertThat(e.getMessage()).matches("w:(\\d+:)? \\P{Cntrl}+; \\P{Cntrl}+").hasSizeLessThan(700);
    return String.valueOf(e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {TEXT, JSONL})
  void mutated_workload_is_refused_in_one_line_or_read_whole(String seed) {
    Random random = new Random(20261120);
    byte[] bytes = seed.getBytes(UTF_8);
    WorkloadFormat[] formats = WorkloadFormat.values();
    int accepted = 0;
    for (int i = 0; i < INPUTS / 2; i++) {
      MemorySource source = new MemorySource("w", mutate(bytes, random));
      WorkloadFormat format =
          random.nextInt(8) == 0
              ? formats[random.nextInt(formats.length)]
              : WorkloadFormat.ofFirstLine(bytes, 0, bytes.length);
      Object outcome = checked(source, format);
      assertThat(streamed(source, format)).isEqualTo(outcome);
      accepted += outcome instanceof List ? 1 : 0;
    }
    // Neither all nor nothing, or the mutations would show nothing.
    assertThat(accepted).isBetween(INPUTS / 100, INPUTS / 2 - INPUTS / 100);
  }
}
