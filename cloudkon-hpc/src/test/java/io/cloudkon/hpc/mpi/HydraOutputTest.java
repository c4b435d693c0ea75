package io.cloudkon.hpc.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HydraOutputTest {
  private static final String PROXY =
      "/usr/bin/hydra_pmi_proxy --control-port 192.0.2.2:36349 --rmk user --launcher manual"
          + " --demux poll --pgid 0 --retries 10 --usize -2 --pmi-port 0 --gpus-per-proc -2"
          + " --proxy-id ";

  /** As MPICH 4.0.2 prints it, with a space before each line's end. */
  private static final String BLOCK =
      "HYDRA_LAUNCH: " + PROXY + "0 \nHYDRA_LAUNCH: " + PROXY + "1 \nHYDRA_LAUNCH_END\n";

  private final List<List<String>> launched = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private final HydraOutput output =
      new HydraOutput(
          2,
          new HydraOutput.Listener() {
            @Override
            public void launch(List<String> lines) {
              launched.add(lines);
            }

            @Override
            public void unusable(String why) {
              unusable.add(why);
            }
          });

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100, 1000, 100_000})
  void block_is_taken_once_and_the_rest_is_the_programs(int chunk) {
    String printed = feed(BLOCK + "rank 0\n" + BLOCK + "rank 1\n\nno end of line", chunk);

    assertThat(launched).containsExactly(List.of(PROXY + "0", PROXY + "1"));
    assertThat(printed).isEqualTo("rank 0\nrank 1\n\nno end of line");
    assertThat(output.death()).isEmpty();
    assertThat(unusable).isEmpty();
  }

  @Test
  void lines_come_by_rank_whatever_their_order() {
    feed("HYDRA_LAUNCH: " + PROXY + "1\nHYDRA_LAUNCH: " + PROXY + "0\nHYDRA_LAUNCH_END\n", 4096);

    assertThat(launched).containsExactly(List.of(PROXY + "0", PROXY + "1"));
  }

  @Test
  void program_that_prints_such_words_keeps_them() {
    String own =
        "HYDRA_LAUNCH: rm -rf x\n HYDRA_LAUNCH_END\nHYDRA_LAUNCH_ENDED\n" + BLOCK + "HYDRA_LAU";

    assertThat(feed(BLOCK + BLOCK + own, 5)).isEqualTo(own);
    assertThat(launched).hasSize(1);
  }

  @Test
  void what_comes_before_the_block_is_passed_on() {
    assertThat(feed("a warning\n" + BLOCK + "out\n", 3)).isEqualTo("a warning\nout\n");
    assertThat(launched).hasSize(1);
  }

  @Test
  void output_that_cannot_be_mpiexecs_does_not_wait_for_the_end_of_its_line() {
    byte[] head = BLOCK.getBytes(UTF_8);
    output.take(head, head.length);

    assertThat(output.take("pass ".getBytes(UTF_8), 5)).isEqualTo("pass ".getBytes(UTF_8));
    assertThat(output.take("word\n".getBytes(UTF_8), 5)).isEqualTo("word\n".getBytes(UTF_8));
  }

  @Test
  void bytes_that_are_no_text_and_endless_lines_pass_unchanged() {
    String odd = "HYDRA_LAUNCH: x".repeat(2000) + "\u00ff\u0000\r\n";

    assertThat(feed(BLOCK + odd, 777)).isEqualTo(odd);
  }

  @Test
  void death_of_a_rank_is_heard_and_still_printed() {
    String end =
        "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)\n";

    assertThat(feed(BLOCK + end, 11)).isEqualTo(end);
    assertThat(output.death()).hasValue("Segmentation fault (signal 11)");
  }

  @Test
  void block_that_is_not_one_line_for_each_rank_is_unusable() {
    feed("HYDRA_LAUNCH: " + PROXY + "1\nHYDRA_LAUNCH_END\n", 4096);

    assertThat(launched).isEmpty();
    assertThat(unusable)
        .singleElement()
        .asString()
        .startsWith("mpiexec printed launch lines for the proxies [1], where 0 to 1 are needed");
  }

  @Test
  void line_without_a_proxys_number_is_unusable() {
    feed("HYDRA_LAUNCH: something else\nHYDRA_LAUNCH_END\n", 4096);

    assertThat(unusable).singleElement().asString().contains("something else");
  }

  private String feed(String text, int chunk) {
    byte[] bytes = text.getBytes(UTF_8);
    ByteArrayOutputStream passed = new ByteArrayOutputStream();
    for (int i = 0; i < bytes.length; i += chunk) {
      int n = Math.min(chunk, bytes.length - i);
      byte[] part = Arrays.copyOfRange(bytes, i, i + n);
      passed.writeBytes(output.take(part, n));
    }
    passed.writeBytes(output.finish());
    return passed.toString(UTF_8);
  }
}
