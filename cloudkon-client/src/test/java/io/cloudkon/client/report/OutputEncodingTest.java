package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OutputEncodingTest {
  @Test
  void a_cut_drops_only_the_character_it_went_through() {
    byte[] text = "aé€😀".getBytes(StandardCharsets.UTF_8);
    int[] whole = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};

    for (int cut = 0; cut <= text.length; cut++) {
      assertThat(OutputEncoding.lengthOfWholeCharacters(Arrays.copyOf(text, cut)))
          .as("cut at %d", cut)
          .isEqualTo(whole[cut]);
    }
  }

  @Test
  void bytes_that_are_no_text_are_not_cut_further() {
    assertThat(OutputEncoding.lengthOfWholeCharacters(new byte[] {-128, -128, -128, -128}))
        .isEqualTo(4);
  }

  @Test
  void text_is_told_from_other_bytes() {
    assertThat(OutputEncoding.isText("plain".getBytes(StandardCharsets.UTF_8), 5)).isTrue();
    assertThat(OutputEncoding.isText("€".getBytes(StandardCharsets.UTF_8), 3)).isTrue();
    assertThat(OutputEncoding.isText("€".getBytes(StandardCharsets.UTF_8), 2)).isFalse();
    assertThat(OutputEncoding.isText(new byte[] {'a', -1}, 2)).isFalse();
    assertThat(OutputEncoding.isText(new byte[] {'a', -1}, 1)).isTrue();
  }
}
