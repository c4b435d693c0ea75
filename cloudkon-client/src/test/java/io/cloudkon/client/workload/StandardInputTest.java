package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class StandardInputTest {
  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  private static Workload open(String text) {
    return Workload.open("-", input(text), WorkloadFormat.AUTO);
  }

  @Test
  void input_is_checked_and_read_again_from_its_private_copy() throws Exception {
    SpoolSource source = new SpoolSource("<stdin>", input("noop\nsleep 5\n"), false);
    try (Workload workload = Workload.open(source, WorkloadFormat.AUTO, WorkloadLimits.DEFAULT)) {
      assertThat(source.spool()).hasContent("noop\nsleep 5\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(source.spool())))
          .isEqualTo("rw-------");
      for (int pass = 0; pass < 2; pass++) {
        try (TaskReader reader = workload.read()) {
          assertThat(MemorySource.rest(reader))
              .containsExactly(
                  MemorySource.silent(0, "1", Work.Noop.INSTANCE, 0),
                  MemorySource.silent(1, "2", new Work.Sleep(5), 0));
        }
      }
    }
    assertThat(source.spool()).doesNotExist();
  }

  @Test
  void copy_is_removed_when_a_line_is_bad() {
    SpoolSource source = new SpoolSource("<stdin>", input("noop\nbad\n"), false);
    assertThatThrownBy(() -> Workload.open(source, WorkloadFormat.AUTO, WorkloadLimits.DEFAULT))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("<stdin>:2: unknown kind of task \"bad\";");
    assertThat(source.spool()).doesNotExist();
  }

  @Test
  void format_is_that_of_the_first_byte_that_is_not_blank() {
    try (Workload workload = open("\ufeff\n \r\n\t{\"sleep\": 5}\n{\"noop\": true}\n");
        TaskReader reader = workload.read()) {
      assertThat(MemorySource.rest(reader)).extracting(Task::id).containsExactly("3", "4");
    }
    assertThatThrownBy(() -> open("{\"sleep\": 5}\nnoop\n"))
        .hasMessageStartingWith("<stdin>:2: \"noop\" is not a JSON object;");
    assertThatThrownBy(() -> open("# text\n{\"noop\": true}\n"))
        .hasMessageStartingWith("<stdin>:2: a JSON object in a text workload;");
    assertThatThrownBy(() -> Workload.open("-", input("noop"), WorkloadFormat.JSONL))
        .hasMessageStartingWith("<stdin>:1: \"noop\" is not a JSON object;");
  }

  @Test
  void empty_input_is_refused() {
    assertThatThrownBy(() -> open(""))
        .isInstanceOf(UsageException.class)
        .hasMessage("<stdin>: contains no task; expected at least one line, such as sleep 100");
  }

  @Test
  void input_that_fails_is_refused() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("Input/output\nerror");
          }
        };
    assertThatThrownBy(() -> Workload.open("-", broken, WorkloadFormat.AUTO))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("<stdin>: cannot be read: Input/output\\nerror; expected ");
  }

  @Test
  void repeated_id_is_found_in_the_copy() {
    assertThatThrownBy(() -> open("{\"id\":1,\"noop\":true}\n{\"id\":1,\"noop\":true}"))
        .hasMessageStartingWith("<stdin>:2: the id \"1\" is also that of line 1;");
  }

  @Test
  void bad_line_is_refused_before_the_input_ends() throws Exception {
    try (PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out)) {
      out.write("bad\n".getBytes(UTF_8));
      out.flush();
      assertThatThrownBy(() -> Workload.open("-", in, WorkloadFormat.AUTO))
          .hasMessageStartingWith("<stdin>:1: ");
    }
  }

  @Test
  void device_is_read_like_standard_input() {
    assertThatThrownBy(
            () -> Workload.open("/dev/null", InputStream.nullInputStream(), WorkloadFormat.AUTO))
        .hasMessageStartingWith("/dev/null: contains no task;");
  }

  @Test
  void stream_hands_tasks_out_before_the_input_ends_and_can_send_them_again() throws Exception {
    PipedOutputStream out = new PipedOutputStream();
    try (PipedInputStream in = new PipedInputStream(out);
        Workload workload = Workload.stream("-", in, WorkloadFormat.AUTO);
        TaskReader reader = workload.read()) {
      out.write("{\"sleep\": 1}\n{\"sleep\": 2}\n".getBytes(UTF_8));
      out.flush();
      assertThat(reader.next()).isEqualTo(MemorySource.silent(0, "1", new Work.Sleep(1), 0));
      assertThat(reader.next()).isEqualTo(MemorySource.silent(1, "2", new Work.Sleep(2), 0));
      assertThat(workload.summary()).isEmpty();
      assertThatThrownBy(workload::read).isInstanceOf(IllegalStateException.class);
      try (TaskReader again = workload.readFrom(reader.offset(), 1, reader.line())) {
        assertThat(again.next()).isEqualTo(MemorySource.silent(1, "2", new Work.Sleep(2), 0));
      }
      out.write("{\"sleep\": 3}".getBytes(UTF_8));
      out.close();
      assertThat(reader.next()).isEqualTo(MemorySource.silent(2, "3", new Work.Sleep(3), 0));
      assertThat(reader.next()).isNull();
      assertThat(workload.summary()).map(WorkloadSummary::tasks).contains(3);
      try (TaskReader again = workload.read()) {
        assertThat(MemorySource.rest(again)).hasSize(3);
      }
    }
  }

  @Test
  void stream_with_a_bad_line_hands_out_what_stands_before_it() {
    try (Workload workload = Workload.stream("-", input("noop\nbad\n"), WorkloadFormat.AUTO);
        TaskReader reader = workload.read()) {
      assertThat(reader.next()).isNotNull();
      assertThatThrownBy(reader::next)
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("<stdin>:2: unknown kind of task \"bad\";");
      assertThat(workload.summary()).isEmpty();
    }
  }

  @Test
  void stream_without_a_task_is_refused_at_its_end() {
    try (Workload workload = Workload.stream("-", input("\n"), WorkloadFormat.AUTO);
        TaskReader reader = workload.read()) {
      assertThatThrownBy(reader::next).hasMessageStartingWith("<stdin>: contains no task;");
    }
  }
}
