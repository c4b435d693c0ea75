package io.cloudkon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class LayeredDefaultsTest {
  @TempDir Path folder;

  @Command(name = "sample", mixinStandardHelpOptions = true, subcommands = Sub.class)
  static final class Sample {
    @Option(names = "--lease", defaultValue = "15s", converter = Durations.WithUnit.class)
    Duration lease;

    @Option(names = "--exit-when-idle", defaultValue = "1m", converter = Durations.WithUnit.class)
    Duration exitWhenIdle;

    @Option(
        names = {"-t", "--threads"},
        defaultValue = "2")
    int threads;

    @Option(names = "--force")
    boolean force;

    @Option(names = "--allow", split = ",")
    List<String> allow;

    @Option(names = "--config")
    Path config;
  }

  @Command(name = "sub")
  static final class Sub {
    @Option(names = "--depth", defaultValue = "1")
    int depth;
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("cloudkon.properties"), List.of(lines));
  }

  private static Sample parse(Map<String, String> environment, Path file, String... args) {
    Sample sample = new Sample();
    CommandLine line = new CommandLine(sample);
    line.setDefaultValueProvider(LayeredDefaults.load(line.getCommandSpec(), environment, file));
    line.parseArgs(args);
    return sample;
  }

  @Test
  void value_without_any_layer_is_the_options_default() {
    Sample sample = parse(Map.of(), null);

    assertThat(sample.lease).isEqualTo(Duration.ofSeconds(15));
    assertThat(sample.threads).isEqualTo(2);
    assertThat(sample.force).isFalse();
    assertThat(sample.allow).isNull();
  }

  @Test
  void value_comes_from_the_command_line_then_environment_then_file() throws IOException {
    Path file = file("lease = 1s", "exit-when-idle = 2s", "threads = 3");
    Map<String, String> environment =
        Map.of("CLOUDKON_OPT_LEASE", "10s", "CLOUDKON_OPT_EXIT_WHEN_IDLE", "20s");

    Sample sample = parse(environment, file, "--lease", "100s");

    assertThat(sample.lease).isEqualTo(Duration.ofSeconds(100));
    assertThat(sample.exitWhenIdle).isEqualTo(Duration.ofSeconds(20));
    assertThat(sample.threads).isEqualTo(3);
  }

  @Test
  void value_of_a_flag_and_of_a_list_may_come_from_the_file() throws IOException {
    Sample sample = parse(Map.of(), file("force=true", "allow = noop,sleep"));

    assertThat(sample.force).isTrue();
    assertThat(sample.allow).containsExactly("noop", "sleep");
  }

  @Test
  void file_may_have_comments_blank_lines_continuations_and_escapes() throws IOException {
    Path file =
        file(
            "# a comment \\",
            "",
            "! another",
            "  lease : 7s",
            "allow = noop,\\",
            "    sl\\u0065ep");

    Sample sample = parse(Map.of(), file);

    assertThat(sample.lease).isEqualTo(Duration.ofSeconds(7));
    assertThat(sample.allow).containsExactly("noop", "sleep");
  }

  @Test
  void unknown_key_in_the_file_is_named_with_its_line_and_the_nearest_key() throws IOException {
    Path file = file("# note", "lease = 1s", "exit-when-idel = 2s");

    assertThatThrownBy(() -> parse(Map.of(), file))
        .isInstanceOf(UsageException.class)
        .hasMessage(file + " line 3: unknown key 'exit-when-idel'; did you mean 'exit-when-idle'?");
  }

  @Test
  void unknown_variable_is_named_with_the_nearest_one() {
    assertThatThrownBy(() -> parse(Map.of("CLOUDKON_OPT_LEESE", "1s"), null))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "unknown environment variable CLOUDKON_OPT_LEESE; did you mean 'CLOUDKON_OPT_LEASE'?");
  }

  @Test
  void variable_of_another_commands_option_is_passed_over() {
    assertThat(parse(Map.of("CLOUDKON_OPT_RMI_PORT", "7099"), null).threads).isEqualTo(2);
  }

  @Test
  void other_variables_are_none_of_its_business() {
    assertThat(parse(Map.of("CLOUDKON_DEBUG", "1", "LEASE", "x"), null).threads).isEqualTo(2);
  }

  @Test
  void key_of_a_subcommand_is_known() throws IOException {
    assertThat(parse(Map.of("CLOUDKON_OPT_DEPTH", "4"), file("depth = 3")).threads).isEqualTo(2);
  }

  @Test
  void help_and_config_are_no_keys_of_a_file() throws IOException {
    assertThatThrownBy(() -> parse(Map.of(), file("help = true")))
        .hasMessageContaining("unknown key 'help'");
    assertThatThrownBy(() -> parse(Map.of(), file("config = other")))
        .hasMessageContaining("unknown key 'config'");
  }

  @Test
  void key_that_is_set_twice_names_both_lines() throws IOException {
    Path file = file("lease = 1s", "lease = 2s");

    assertThatThrownBy(() -> parse(Map.of(), file))
        .isInstanceOf(UsageException.class)
        .hasMessage("%s line 2: 'lease' is already set by %s line 1".formatted(file, file));
  }

  @Test
  void key_without_a_value_is_an_error() throws IOException {
    assertThatThrownBy(() -> parse(Map.of(), file("lease")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("line 1: 'lease' has no value");
  }

  @Test
  void file_that_cannot_be_read_is_an_error() throws IOException {
    Path latin = folder.resolve("latin");
    Files.write(latin, new byte[] {'a', '=', (byte) 0xfc});

    assertThatThrownBy(() -> parse(Map.of(), folder.resolve("none")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> parse(Map.of(), folder))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> parse(Map.of(), latin))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is not UTF-8 text");
    Path escape = file("a = \\uZZZZ");
    assertThatThrownBy(() -> parse(Map.of(), escape))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("line 1: Malformed");
  }

  @Test
  void variable_of_a_key_is_in_capitals() {
    assertThat(LayeredDefaults.variable("exit-when-idle")).isEqualTo("CLOUDKON_OPT_EXIT_WHEN_IDLE");
  }
}
