package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.hpc.mpi.HydraOutput;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankOutputTest {
  private static final String BLOCK =
      "HYDRA_LAUNCH: hydra_pmi_proxy --proxy-id 0\nHYDRA_LAUNCH_END\n";

  private final List<List<String>> launched = new ArrayList<>();
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
  private boolean ended;

  @Test
  void what_the_program_prints_is_passed_on_and_launch_lines_are_told() {
    HydraOutput output =
        new HydraOutput(
            1,
            new HydraOutput.Listener() {
              @Override
              public void launch(List<String> lines) {
                launched.add(lines);
              }

              @Override
              public void unusable(String why) {
                throw new AssertionError(why);
              }
            });
    RankOutput lines = new RankOutput(output, sink());

    for (byte each : (BLOCK + "one\ntwo").getBytes(UTF_8)) {
      lines.take(new byte[] {each, '?'}, 1);
    }
    assertThat(ended).isFalse();
    lines.end();

    assertThat(passed.toString(UTF_8)).isEqualTo("one\ntwo");
    assertThat(ended).isTrue();
    assertThat(launched).hasSize(1);
  }

  private OutputSink sink() {
    return new OutputSink() {
      @Override
      public void take(byte[] chunk, int count) {
        passed.write(chunk, 0, count);
      }

      @Override
      public void end() {
        ended = true;
      }
    };
  }
}
