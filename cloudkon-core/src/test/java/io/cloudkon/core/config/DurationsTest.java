package io.cloudkon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "30s, PT30S",
    "250ms, PT0.25S",
    "2m, PT2M",
    "1h, PT1H",
    "14d, PT336H",
    "5us, PT0.000005S",
    "1.5s, PT1.5S",
    "0, PT0S",
    "0s, PT0S",
    "' 7s ', PT7S"
  })
  void parse_with_a_unit_gives_the_duration(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
    assertThat(Durations.parseOrMillis(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-5s", "abc", "5 s", "5x", "s", "1e3s", "--", "5S", "5s5"})
  void parse_of_anything_else_says_what_was_expected(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a duration; expected one such as 250ms, 30s, 2m or 1h");
  }

  @Test
  void parse_of_a_bare_number_needs_a_unit_unless_it_is_milliseconds() {
    assertThatThrownBy(() -> Durations.parse("16")).hasMessageContaining("is not a duration");
    assertThat(Durations.parseOrMillis("16")).isEqualTo(Duration.ofMillis(16));
    assertThatThrownBy(() -> Durations.parseOrMillis("x"))
        .hasMessageContaining("or a bare number of milliseconds");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1001d", "999999999999999h"})
  void parse_of_what_is_too_long_says_so(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer than 1000d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "250ms", "15s", "90s", "2m", "1h", "15d", "3us"})
  void format_writes_what_parse_reads(String text) {
    assertThat(Durations.parse(Durations.format(Durations.parse(text))))
        .isEqualTo(Durations.parse(text));
  }

  @Test
  void format_takes_the_largest_whole_unit() {
    assertThat(Durations.format(Duration.ofSeconds(120))).isEqualTo("2m");
    assertThat(Durations.format(Duration.ofMillis(1500))).isEqualTo("1500ms");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ms",
    "999, 999 ms",
    "1500, 1.5 s",
    "3000, 3 s",
    "60000, 1 min",
    "90000, 90 s",
    "600000, 10 min",
    "7200000, 2 h"
  })
  void milliseconds_in_words_are_not_rounded(long millis, String expected) {
    assertThat(Durations.inWords(millis)).isEqualTo(expected);
  }

  @Test
  void converters_differ_in_bare_numbers_and_off() throws Exception {
    assertThat(new Durations.WithUnit().convert("3s")).isEqualTo(Duration.ofSeconds(3));
    assertThat(new Durations.OrMillis().convert("3")).isEqualTo(Duration.ofMillis(3));
    assertThat(new Durations.OrOff().convert("off")).isEqualTo(Duration.ZERO);
    assertThat(new Durations.OrOff().convert("5s")).isEqualTo(Duration.ofSeconds(5));
  }
}
