package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ResultsCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"out --sort -seconds", "--sort -seconds out", "--sort=-seconds out"})
  void descending_order_is_a_value_and_no_option(String words) {
    ResultsCommand command = new ResultsCommand();
    var unused = new CommandLine(command).parseArgs(words.split(" "));
    assertThat(command.sort).isEqualTo("-seconds");
    assertThat(command.run).isEqualTo("out");
  }
}
