package io.cloudkon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SizesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "17b, 17",
    "64KiB, 65536",
    "64k, 65536",
    "64KB, 65536",
    "1MiB, 1048576",
    "2g, 2147483648",
    "'1 MiB', 1048576"
  })
  void parse_gives_bytes(String text, long expected) {
    assertThat(Sizes.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "k", "1.5k", "5x", "1TiB", "0x10"})
  void parse_of_anything_else_says_what_was_expected(String text) {
    assertThatThrownBy(() -> Sizes.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a size; expected one such as 4096, 64KiB or 1MiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9999999999999", "9999999999999g", "1025g"})
  void parse_of_what_is_too_large_says_so(String text) {
    assertThatThrownBy(() -> Sizes.parse(text)).hasMessageContaining("larger than 1 TiB");
  }
}
