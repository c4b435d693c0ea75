package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Work;
import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineInputTest {
  @TempDir Path temp;

  private static String text(LineCheck.Line line) {
    return line.number()
        + ":"
        + new String(line.bytes(), line.from(), line.to() - line.from(), UTF_8);
  }

  @Test
  void reading_goes_on_behind_a_line_that_is_no_text() throws Exception {
    byte[] bytes = "one\ntw\u00ff\nthree\nbi\0nary\nfive\n".getBytes(ISO_8859_1);
    LineInput lines = new LineInput(new ByteArrayInputStream(bytes));

    assertThat(text(lines.next())).isEqualTo("1:one");
    assertThatThrownBy(lines::next).isInstanceOf(UsageException.class);
    assertThat(lines.number()).isEqualTo(2);
    assertThat(text(lines.next())).isEqualTo("3:three");
    assertThatThrownBy(lines::next).hasMessageContaining("NUL byte");
    assertThat(lines.number()).isEqualTo(4);
    assertThat(text(lines.next())).isEqualTo("5:five");
    assertThat(lines.next()).isNull();
  }

  @Test
  void bad_last_line_ends_the_input() throws Exception {
    LineInput lines = new LineInput(new ByteArrayInputStream("a\0b".getBytes(UTF_8)));
    assertThatThrownBy(lines::next).isInstanceOf(UsageException.class);
    assertThat(lines.next()).isNull();
  }

  /** Its writer may have been killed: this may be the beginning of "exec rm -r /data/123". */
  @Test
  void last_line_without_a_line_end_is_refused() throws Exception {
    LineInput lines =
        new LineInput(new ByteArrayInputStream("noop\nexec rm -r /data/12".getBytes(UTF_8)));
    assertThat(text(lines.next())).isEqualTo("1:noop");
    assertThatThrownBy(lines::next)
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "the line has no line end, so it may be a part of one; expected a line end after each"
                + " task, the last one too");
    assertThat(lines.number()).isEqualTo(2);
    assertThat(lines.next()).isNull();

    LineInput comment = new LineInput(new ByteArrayInputStream("noop\r\n # en".getBytes(UTF_8)));
    assertThat(text(comment.next())).isEqualTo("1:noop");
    assertThat(text(comment.next())).isEqualTo("2: # en");
    assertThat(comment.next()).isNull();
  }

  @Test
  void stream_is_ready_only_while_a_whole_task_is_there() throws Exception {
    PipedOutputStream out = new PipedOutputStream();
    try (Workload workload = Workload.stream("-", new PipedInputStream(out), WorkloadFormat.TEXT);
        TaskReader reader = workload.read()) {
      out.write("noop\nsleep 5\n\n# behind\nslee".getBytes(UTF_8));
      out.flush();
      assertThat(reader.next()).isNotNull();
      assertThat(reader.ready()).isTrue();
      long offset = reader.offset();
      assertThat(reader.next().work()).isEqualTo(new Work.Sleep(5));
      assertThat(reader.offset()).isEqualTo(offset + 5);
      assertThat(reader.ready()).isFalse();
      assertThat(reader.offset()).isEqualTo(offset + 5);
      out.write("p 7\n".getBytes(UTF_8));
      out.flush();
      assertThat(reader.ready()).isTrue();
      assertThat(reader.next().id()).isEqualTo("5");
      out.close();
      assertThat(reader.next()).isNull();
      assertThat(reader.ready()).isTrue();
    }
  }

  @Test
  void spool_is_read_as_far_as_its_lines_are_whole_and_may_be_empty() throws Exception {
    Path file = temp.resolve("spool.jsonl");
    Files.writeString(file, "{\"id\":\"1\",\"noop\":true}\n{\"id\":\"2\",\"sle");
    try (Workload workload = Workload.openSpool(file, () -> 0);
        TaskReader reader = workload.read()) {
      assertThat(workload.knownTasks()).isEqualTo(1);
      assertThat(MemorySource.rest(reader)).hasSize(1);
    }
    Files.writeString(file, "{\"id\":");
    try (Workload workload = Workload.openSpool(file, () -> 0)) {
      assertThat(workload.knownTasks()).isZero();
      assertThat(workload.summary().orElseThrow().slotTimes().taskMicros()).isZero();
    }
  }

  /** As a file system leaves blocks that were not written when the power failed. */
  @Test
  void zeros_behind_what_was_sent_end_a_spool_and_others_are_an_error() throws Exception {
    Path file = temp.resolve("spool.jsonl");
    String one = "{\"id\":\"1\",\"noop\":true}\n";
    Files.writeString(file, one + "\0".repeat(100_000) + "op\":true}\n" + one);

    try (Workload workload = Workload.openSpool(file, () -> 1);
        TaskReader reader = workload.read()) {
      assertThat(workload.knownTasks()).isEqualTo(1);
      assertThat(MemorySource.rest(reader)).hasSize(1);
    }
    assertThatThrownBy(() -> Workload.openSpool(file, () -> 2))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(":2: this looks like a binary file");
  }
}
