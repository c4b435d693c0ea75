package io.cloudkon.core.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilePatternTest {

  @ParameterizedTest
  @CsvSource({
    "out/*.csv, out/a.csv, true",
    "out/*.csv, out/.csv.csv, false",
    "./out//*.csv, out/a.csv, true",
    "out/*.csv, out/deep/a.csv, false",
    "out/*.csv, a.csv, false",
    "*, a, true",
    "*, a/b, true",
    "*, .a, false",
    ".*, .a, true",
    "[.]a, .a, false",
    "?, ü, true",
    "?, \uD83D\uDE00, true",
    "?, ab, false",
    "a*b*c, aXbXbc, true",
    "a*b*c, aXbX, false",
    "[a-c]x, bx, true",
    "[!a-c]x, bx, false",
    "[!a-c]x, dx, true",
    "[]]x, ]x, true",
    "[a-]x, -x, true",
    "\\*, *, true",
    "\\*, a, false",
    "**/a, a, true",
    "**/a, x/y/a, true",
    "**/a, .x/a, false",
    "x/**/a, x/a, true",
    "x/**/a, x/y/z/a, true",
    "x/**/a, y/a, false",
    "**, x/y/z, true",
    "out, out, true",
    "out, out/x/.y, true",
    "out/, out/x, true",
    "out, output, false",
    "., x, true",
  })
  void pattern_matches_what_a_shell_would_match(String pattern, String path, boolean matches) {
    assertThat(matches(pattern, path)).isEqualTo(matches);
  }

  private static boolean matches(String pattern, String path) {
    FilePattern.Place place = FilePattern.of(pattern).start();
    for (String name : path.split("/")) {
      place = place.in(name);
    }
    return place.isMatch();
  }

  @Test
  void folder_that_leads_nowhere_is_not_entered() {
    FilePattern.Place start = FilePattern.of("out/*/a").start();

    assertThat(start.in("out").in("x").mayLead()).isTrue();
    assertThat(start.in("in").mayLead()).isFalse();
    assertThat(start.in("out").in("x").in("b").mayLead()).isFalse();
  }

  @Test
  void many_stars_take_no_longer_than_the_product_of_the_lengths() {
    String pattern = "*a".repeat(100) + "b";

    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertThat(matches(pattern, "a".repeat(255))).isFalse());
  }

  @ParameterizedTest
  @CsvSource({
    "'', is empty",
    "/a, is absolute",
    "../a, leads out of the directory with '..'",
    "a/../../b, leads out of the directory with '..'",
    "a[b, has a [ without ]",
    "a\\, has a backslash before nothing",
  })
  void what_is_no_pattern_below_the_directory_is_refused(String pattern, String why) {
    assertThatThrownBy(() -> FilePattern.of(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }
}
