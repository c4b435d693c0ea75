package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsOfOtherToolsTest {
  @ParameterizedTest
  @CsvSource({
    "sbatch, client a workload file",
    "squeue, runs lists the runs",
    "queue, runs lists the runs",
    "ps, status shows a cluster",
    "sacct, results shows the tasks of one",
    "top, status --watch",
    "log, cat prints",
    "logs, cat prints",
    "serve, client --serve",
  })
  void word_of_another_tool_leads_to_a_command_of_ours(String word, String instead) {
    assertThat(CommandsOfOtherTools.instead(word))
        .hasValueSatisfying(text -> assertThat(text).contains(instead));
  }

  @Test
  void no_command_of_ours_is_taken_for_a_word_of_another_tool() {
    assertThat(ClientMain.commands())
        .allSatisfy(command -> assertThat(CommandsOfOtherTools.instead(command)).isEmpty());
  }
}
