package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBytesTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();

  private final JsonBytes json = new JsonBytes(1);

  private String written() {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        9,
        10,
        11,
        99,
        100,
        101,
        999,
        1000,
        1_800_000_000_000_000L,
        -1,
        -100,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        1_000_000_000_000_000_000L,
        999_999_999_999_999_999L
      })
  void number_is_written_as_java_writes_it(long number) {
    assertThat(json.number(number).size()).isEqualTo(Long.toString(number).length());
    assertThat(written()).isEqualTo(Long.toString(number));
  }

  @Test
  void numbers_of_every_length_are_written_as_java_writes_them() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      json.clear(1);
      json.number(number);
      assertThat(written()).isEqualTo(Long.toString(number));
    }
  }

  @Test
  void every_character_is_read_back_by_jackson() throws IOException {
    for (int c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 97) {
      String text = "a" + (c >= 0xd800 && c < 0xe000 ? "" : Character.toString(c)) + "z";
      json.clear(16);
      json.string(text);
      assertThat(JACKSON.readValue(json.toBytes(), String.class)).isEqualTo(text);
    }
  }

  @Test
  void what_splits_lines_or_steers_terminals_is_escaped() {
    json.string("\n\r\u0085\u2028\u2029\u001b\u007f\"\\/");

    assertThat(written()).isEqualTo("\"\\n\\r\\u0085\\u2028\\u2029\\u001b\\u007f\\\"\\\\/\"");
  }

  @Test
  void lone_surrogates_become_the_replacement_character() throws IOException {
    json.string("a\ud800b\udc00\ud83d\ude00\ud83d");

    assertThat(JACKSON.readValue(json.toBytes(), String.class))
        .isEqualTo("a\ufffdb\ufffd\ud83d\ude00\ufffd");
  }

  @Test
  void any_bytes_are_text_as_java_decodes_them() throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      if (i % 2 == 0) {
        bytes = new String(bytes, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8);
      }
      json.clear(8);
      json.text(bytes, bytes.length);
      assertThat(JACKSON.readValue(json.toBytes(), String.class))
          .isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  @Test
  void base64_is_read_back_by_jackson() throws IOException {
    byte[] bytes = {0, -1, 7, 33};

    json.base64(bytes);

    assertThat(JACKSON.readValue(json.toBytes(), byte[].class)).isEqualTo(bytes);
  }

  @Test
  void a_huge_buffer_is_let_go() {
    json.string("x".repeat(100_000));

    json.clear(64);

    assertThat(json.array()).hasSize(64);
    assertThat(json.size()).isZero();
  }
}
