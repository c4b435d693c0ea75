package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LineCheckTest {
  private final Spool spool = new Spool();
  private final LineCheck check = new LineCheck(RunChecks.of(Consistency.EXACTLY_ONCE), spool);
  private long number;

  @AfterEach
  void close() {
    check.close();
  }

  /** What was written so far, to be read again. */
  private static final class Spool implements WorkloadSource {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean noMemory;

    @Override
    public String name() {
      return "spool";
    }

    @Override
    public WorkloadFormat format() {
      return WorkloadFormat.JSONL;
    }

    @Override
    public InputStream first() {
      return again(0);
    }

    @Override
    public InputStream again(long offset) {
      if (noMemory) {
        throw new OutOfMemoryError("planted");
      }
      byte[] all = bytes.toByteArray();
      return new ByteArrayInputStream(all, (int) offset, all.length - (int) offset);
    }

    @Override
    public void close() {}
  }

  /** The lines as the spool has them then. */
  private List<String> take(String... lines) {
    List<LineCheck.Line> numbered = new ArrayList<>();
    for (String line : lines) {
      byte[] bytes = line.getBytes(UTF_8);
      numbered.add(new LineCheck.Line(bytes, 0, bytes.length, ++number));
    }
    List<String> written = new ArrayList<>();
    for (CheckedLine line : check.check(numbered)) {
      check.taken(line, spool.bytes.size());
      spool.bytes.writeBytes(line.bytes());
      spool.bytes.write('\n');
      written.add(new String(line.bytes(), UTF_8));
    }
    return written;
  }

  @Test
  void each_line_is_read_in_its_own_format_and_written_with_its_id() {
    assertThat(take("exec echo 'a b'")).containsExactly("{\"id\":\"1\",\"shell\":\"echo 'a b'\"}");
    assertThat(take("{\"sleep\": 5}")).containsExactly("{\"id\":\"2\",\"sleep\": 5}");
    assertThat(take("  {\"noop\":true,\"id\":\"mine\"} "))
        .containsExactly("{\"noop\":true,\"id\":\"mine\"}");
    assertThat(take("")).isEmpty();
    assertThat(take("# a comment")).isEmpty();
    assertThat(take("noop")).containsExactly("{\"id\":\"6\",\"noop\":true}");

    try (Workload again = Workload.open(spool, WorkloadFormat.JSONL, WorkloadLimits.DEFAULT);
        TaskReader reader = again.read()) {
      assertThat(MemorySource.rest(reader))
          .extracting(t -> t.id())
          .containsExactly("1", "2", "mine", "6");
    }
  }

  @Test
  void bad_line_says_what_was_expected_and_the_next_one_is_taken() {
    assertThatThrownBy(() -> take("slep 5"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("unknown kind of task \"slep\";");
    assertThatThrownBy(() -> take("{\"sleep\": 5"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("expected ");
    assertThatThrownBy(() -> take("{\"noop\": true,\n\"id\": \"a\"}"))
        .hasMessageStartingWith("the task holds a line end;");
    assertThat(take("{\"noop\": true}")).hasSize(1);
  }

  @Test
  void line_for_which_there_is_no_memory_is_refused_and_the_next_one_is_taken() {
    take("{\"id\":\"a\",\"noop\":true}");
    spool.noMemory = true; // found out when the other line of this id is read

    assertThatThrownBy(() -> take("{\"id\":\"a\",\"noop\":true}"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("the line needs more memory than this client may use,");

    assertThat(take("{\"id\":\"b\",\"noop\":true}")).hasSize(1);
  }

  @Test
  void id_that_is_taken_is_refused_whether_given_or_a_number() {
    take("{\"id\":\"a\",\"noop\":true}", "noop", "{\"id\":\"9\",\"noop\":true}");

    assertThatThrownBy(() -> take("{\"id\":\"a\",\"noop\":true}"))
        .hasMessageStartingWith(
            "the id \"a\" is also that of an earlier task; expected each id once");
    assertThatThrownBy(() -> take("{\"id\":\"2\",\"noop\":true}"))
        .hasMessageStartingWith("the id \"2\" is also that of an earlier task;");
    assertThat(take("{\"id\":\"77\",\"noop\":true}")).hasSize(1);
    number = 8;
    assertThatThrownBy(() -> take("noop"))
        .hasMessageStartingWith("the id \"9\" is also that of an earlier task;");
    assertThat(take("noop")).hasSize(1);
  }

  @Test
  void lines_that_come_together_are_taken_together_or_not_at_all() {
    assertThatThrownBy(() -> take("{\"id\":\"a\",\"noop\":true}", "{\"id\":\"a\",\"noop\":true}"))
        .hasMessageStartingWith("task 2 of 2: the id \"a\" is also that of an earlier task;");
    assertThatThrownBy(() -> take("{\"id\":\"a\",\"noop\":true}", "bad"))
        .hasMessageStartingWith("task 2 of 2: unknown kind of task");
    assertThat(take("{\"id\":\"a\",\"noop\":true}", "noop")).hasSize(2);
  }

  @Test
  void job_that_is_wider_than_this_process_is_refused() {
    RunChecks two = new RunChecks(Consistency.EXACTLY_ONCE, OptionalInt.of(2), Optional.empty());
    byte[] line = "hpc 3 noop".getBytes(UTF_8);
    try (LineCheck narrow = new LineCheck(two, spool)) {
      assertThatThrownBy(() -> narrow.check(List.of(new LineCheck.Line(line, 0, line.length, 1))))
          .hasMessageStartingWith("the job has 3 ranks, but this process has 2 slots;");
    }
  }

  @Test
  void ten_thousand_ids_are_found_again_exactly() {
    for (int i = 0; i < 10_000; i++) {
      take("{\"id\":\"t%d\",\"noop\":true}".formatted(i));
    }
    for (int i : new int[] {0, 4_999, 9_999}) {
      String line = "{\"id\":\"t%d\",\"noop\":true}".formatted(i);
      assertThatThrownBy(() -> take(line)).hasMessageContaining("\"t" + i + "\" is also that");
    }
  }
}
