package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.cli.ClientCommand;
import io.cloudkon.client.cli.SetupCommand;
import io.cloudkon.client.cli.StatusCommand;
import io.cloudkon.client.cli.TeardownCommand;
import io.cloudkon.examples.demo.DemoCommand;
import io.cloudkon.worker.cli.WorkerCommand;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The README lists every option of every command, in the commands' own words. */
class ReadmeOptionsTest {
  private static final Path HOME = Path.of(System.getProperty("cloudkon.home"));
  private static final Path README = HOME.resolve("README.md");
  private static final String UPDATE =
      "mvn -pl examples -am test -Dtest=ReadmeOptionsTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dcloudkon.docs.update=true";

  @ParameterizedTest
  @ValueSource(strings = {"client", "worker", "local", "setup", "teardown", "status", "demo"})
  void table_of_options_is_what_the_command_says(String command) throws Exception {
    String expected = OptionTables.of(commandLine(command).getCommandSpec());
    if (Boolean.getBoolean("cloudkon.docs.update")) {
      Files.writeString(README, OptionTables.with(Files.readString(README), command, expected));
    }

    assertThat(OptionTables.table(Files.readString(README), command))
        .as("put README.md right with: %s", UPDATE)
        .isEqualTo(expected);
  }

  @Test
  void every_table_belongs_to_a_command() throws IOException {
    assertThat(OptionTables.commands(Files.readString(README)))
        .containsExactly("client", "worker", "local", "setup", "teardown", "status", "demo");
  }

  private static CommandLine commandLine(String command) throws Exception {
    return switch (command) {
      case "client" -> new CommandLine(new ClientCommand());
      case "worker" -> new CommandLine(new WorkerCommand());
      case "setup" -> new CommandLine(new SetupCommand());
      case "teardown" -> new CommandLine(new TeardownCommand());
      case "status" -> new CommandLine(new StatusCommand());
      case "demo" -> new CommandLine(new DemoCommand());
      case "local" -> local();
      default -> throw new IllegalArgumentException(command);
    };
  }

  /**
   * Only its command line is loaded: what the emulators need must never stand on our class path.
   */
  private static CommandLine local() throws Exception {
    URL classes = HOME.resolve("localstack/target/classes").toUri().toURL();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ReadmeOptionsTest.class.getClassLoader())) {
      Method commandLine =
          loader.loadClass("io.cloudkon.local.LocalMain").getDeclaredMethod("commandLine");
      commandLine.setAccessible(true);
      return (CommandLine) commandLine.invoke(null);
    }
  }
}
