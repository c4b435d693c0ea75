package io.cloudkon.client.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationParserTest {
  private static final String EXPECTED =
      "; expected a number of milliseconds, or one with ms, s, m or h: 200ms, 1.5s, 2m, 1h";

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "16, 16",
    "007, 7",
    "200ms, 200",
    "5s, 5000",
    "0.5s, 500",
    "1.001s, 1001",
    "1.015s, 1015",
    "2m, 120000",
    "1h, 3600000",
    "1.5h, 5400000",
    "8760h, 31536000000",
    "31536000000, 31536000000",
    "0.4, 1",
    "0.0004s, 1",
    "0.0000000000001s, 1",
    "0.0000000000000s, 0",
    "1.0000000000001s, 1001"
  })
  void duration_well_written_is_millis_rounded_up(String text, long millis) throws Exception {
    assertThat(DurationParser.parse("sleep", text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "abc", "s", ".5s", "5.", "5.s", "5 s", "5S", "5sec", "1d", "1e3", "+5", "0x10", "--5",
        "-", "5ms5", "1,5s", "٥", "5\u0000"
      })
  void duration_badly_written_is_refused(String text) {
    assertThatThrownBy(() -> DurationParser.parse("sleep", text))
        .isInstanceOf(BadLineException.class)
        .hasMessage("sleep " + Excerpt.quote(text) + " is not a duration" + EXPECTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "-5s", "-.5s", "-0"})
  void duration_negative_is_refused(String text) {
    assertThatThrownBy(() -> DurationParser.parse("sleep", text))
        .hasMessage("sleep \"" + text + "\" is negative" + EXPECTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "31536000001",
        "31536000000.1",
        "8761h",
        "8760.0001h",
        "9223372036854775807",
        "9223372036854775808h",
        "99999999999999999999999999999999999999999h"
      })
  void duration_above_a_year_is_refused(String text) {
    assertThatThrownBy(() -> DurationParser.parse("timeout", text))
        .hasMessage("timeout \"" + text + "\" is longer than 365 days; expected at most 365 days");
  }

  @Test
  void number_with_exponent_is_accepted_in_json_only() throws Exception {
    assertThat(DurationParser.parseNumber("sleep", "1e3")).isEqualTo(1000);
    assertThat(DurationParser.parseNumber("sleep", "1.5E+1")).isEqualTo(15);
    assertThat(DurationParser.parseNumber("sleep", "1e-999999999")).isEqualTo(0);
    assertThat(DurationParser.parseNumber("sleep", "12.5")).isEqualTo(13);
    assertThatThrownBy(() -> DurationParser.parseNumber("sleep", "1e999999999"))
        .hasMessage("sleep \"1e999999999\" is longer than 365 days; expected at most 365 days");
    assertThatThrownBy(() -> DurationParser.parseNumber("sleep", "-1e3"))
        .hasMessage("sleep \"-1e3\" is negative" + EXPECTED);
  }
}
