package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
  /** Input without an end, which counts what was taken. */
  private static final class Endless extends InputStream {
    long taken;

    @Override
    public int read() {
      taken++;
      return 'x';
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      java.util.Arrays.fill(bytes, from, from + length, (byte) 'x');
      taken += length;
      return length;
    }
  }

  private static LineReader reader(byte[] bytes, int block) {
    return new LineReader(
        new ByteArrayInputStream(bytes), new WorkloadLimits(20, 9, 9, block), 0, 1);
  }

  private static List<String> lines(String text, int block) throws Exception {
    List<String> lines = new ArrayList<>();
    try (LineReader reader = reader(text.getBytes(UTF_8), block)) {
      while (reader.next()) {
        String line =
            new String(reader.bytes(), reader.start(), reader.end() - reader.start(), UTF_8);
        lines.add(reader.number() + "@" + reader.offset() + ":" + line);
      }
      assertThat(reader.offset()).isEqualTo(text.getBytes(UTF_8).length);
      assertThat(reader.next()).isFalse();
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 64})
  void lines_of_any_ending_are_split_whatever_the_block(int block) throws Exception {
    assertThat(lines("", block)).isEmpty();
    assertThat(lines("\n", block)).containsExactly("1@0:");
    assertThat(lines("a", block)).containsExactly("1@0:a");
    assertThat(lines("a\r\n\r\nbé\n\nc\rd\r", block))
        .containsExactly("1@0:a", "2@3:", "3@5:bé", "4@9:", "5@10:c\rd");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void byte_order_mark_is_skipped_at_the_beginning_only(int block) throws Exception {
    assertThat(lines("\ufeffa\n\ufeffb\n", block)).containsExactly("1@0:a", "2@5:\ufeffb");
    assertThat(lines("\ufeff", block)).containsExactly("1@0:");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 20, 64})
  void line_of_the_limit_is_accepted_and_one_byte_more_refused(int block) throws Exception {
    String most = "x".repeat(20);
    assertThat(lines(most + "\r\n" + most, block)).containsExactly("1@0:" + most, "2@22:" + most);
    for (String end : List.of("", "\n", "\r\n", "xxxxxxxx\n")) {
      assertThatThrownBy(() -> lines("a\n" + most + "x" + end, block))
          .isInstanceOf(BadLineException.class)
          .hasMessage(
              "the line is longer than 20 bytes;"
                  + " expected less: put large input into a file that the task reads");
    }
  }

  @Test
  void line_without_end_is_refused_without_being_held() throws IOException {
    int most = 1 << 20;
    Endless endless = new Endless();
    try (LineReader reader = new LineReader(endless, new WorkloadLimits(most, 9, 9, 1000), 0, 1)) {
      assertThatThrownBy(reader::next).hasMessageStartingWith("the line is longer than 1048576");
      assertThat(reader.number()).isEqualTo(1);
      assertThat(reader.bytes()).hasSizeLessThanOrEqualTo(most + 2);
    }
    assertThat(endless.taken).isLessThanOrEqualTo(most + 2);
  }

  @Test
  void binary_input_without_line_ends_is_refused_at_once() throws IOException {
    InputStream zeros =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }
        };
    try (LineReader reader = new LineReader(zeros, new WorkloadLimits(1 << 30, 9, 9, 100), 0, 1)) {
      assertThatThrownBy(reader::next).hasMessageContaining("the line has a NUL byte");
      assertThat(reader.number()).isEqualTo(1);
      assertThat(reader.bytes()).hasSize(100);
    }
  }

  @Test
  void buffer_of_a_long_line_is_not_kept() throws Exception {
    int block = 10;
    String text = "a\n" + "x".repeat(1000) + "\n" + "b\n".repeat(50) + "y".repeat(900) + "\nc";
    InputStream in = new ByteArrayInputStream(text.getBytes(UTF_8));
    List<Integer> lengths = new ArrayList<>();
    List<Integer> buffers = new ArrayList<>();
    try (LineReader reader = new LineReader(in, new WorkloadLimits(1000, 9, 9, block), 0, 1)) {
      while (reader.next()) {
        assertThat(reader.offset())
            .isEqualTo(lengths.stream().mapToInt(length -> length + 1).sum());
        lengths.add(reader.end() - reader.start());
        buffers.add(reader.bytes().length);
      }
    }
    assertThat(lengths).hasSize(54).startsWith(1, 1000, 1).endsWith(1, 900, 1);
    assertThat(buffers.get(1)).isGreaterThanOrEqualTo(1000);
    assertThat(buffers.get(51)).isEqualTo(4 * block);
    assertThat(buffers.get(53)).isLessThanOrEqualTo(4 * block);
  }

  @Test
  void binary_input_is_refused_with_its_line() throws Exception {
    byte[][] binaries = {
      "a\nb\0c\n".getBytes(UTF_8),
      {'a', '\n', 0x1F, (byte) 0xC3, '\n'},
      {'a', '\n', (byte) 0xC0, (byte) 0x80, 7},
      {'a', '\n', 1, (byte) 0xED, (byte) 0xA0, (byte) 0x80},
      {'a', '\n', (byte) 0xFF, 0x1B, (byte) 0xFE}
    };
    for (byte[] binary : binaries) {
      try (LineReader reader = reader(binary, 2)) {
        assertThat(reader.next()).isTrue();
        assertThatThrownBy(reader::next)
            .hasMessageStartingWith("this looks like a binary file: the line has ")
            .hasMessageEndingWith("; expected text in UTF-8");
        assertThat(reader.number()).isEqualTo(2);
      }
    }
  }

  /** An umlaut in Latin-1 was taken for a binary file. */
  @Test
  void text_in_another_encoding_is_refused_with_how_to_convert_it() throws Exception {
    byte[][] texts = {
      "a\nexec echo gr\u00fc\u00df\tdich\r\n".getBytes(ISO_8859_1),
      {'a', '\n', (byte) 0xC3, '\n'},
      {'a', '\n', (byte) 0xED, (byte) 0xA0, (byte) 0x80},
      {'a', '\n', (byte) 0xFF, (byte) 0xFE}
    };
    for (byte[] text : texts) {
      try (LineReader reader = reader(text, 2)) {
        assertThat(reader.next()).isTrue();
        assertThatThrownBy(reader::next)
            .hasMessage(
                "the line has bytes that are not UTF-8, as text in another encoding does; expected"
                    + " text in UTF-8; to convert it from Latin-1: iconv -f ISO-8859-1 -t UTF-8");
        assertThat(reader.number()).isEqualTo(2);
      }
    }
  }
}
