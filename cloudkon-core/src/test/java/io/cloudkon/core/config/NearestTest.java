package io.cloudkon.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestTest {
  private static final List<String> KNOWN =
      List.of("consistency", "lease", "bundle", "bundle-target");

  @Test
  void to_a_slip_is_what_was_meant() {
    assertThat(Nearest.to("consistancy", KNOWN)).contains("consistency");
    assertThat(Nearest.to("laese", KNOWN)).contains("lease");
    assertThat(Nearest.to("BUNDLE", KNOWN)).contains("bundle");
    assertThat(Nearest.to("bundle_target", KNOWN)).contains("bundle-target");
  }

  @Test
  void to_a_word_cut_short_is_the_only_one_that_goes_on() {
    List<String> options = List.of("--retries", "--timeout", "--bundle", "--bundle-target", "-t");

    assertThat(Nearest.to("--retry", options)).contains("--retries");
    assertThat(Nearest.to("--time", options)).contains("--timeout");
    assertThat(Nearest.to("--bun", options)).isEmpty();
    assertThat(Nearest.to("--re", options)).isEmpty();
    assertThat(Nearest.to("-j", List.of("-0", "-s"))).isEmpty();
  }

  @Test
  void to_something_else_is_nothing() {
    assertThat(Nearest.to("frobnicate", KNOWN)).isEmpty();
    assertThat(Nearest.hint("frobnicate", KNOWN)).isEmpty();
    assertThat(Nearest.to("lease", List.of())).isEmpty();
  }

  @Test
  void hint_asks() {
    assertThat(Nearest.hint("leas", KNOWN)).isEqualTo("; did you mean 'lease'?");
  }
}
