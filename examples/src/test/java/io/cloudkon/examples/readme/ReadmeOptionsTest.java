package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.cli.CancelCommand;
import io.cloudkon.client.cli.CatCommand;
import io.cloudkon.client.cli.ClientCommand;
import io.cloudkon.client.cli.DeadCommand;
import io.cloudkon.client.cli.ExplainCommand;
import io.cloudkon.client.cli.PlanCommand;
import io.cloudkon.client.cli.RerunCommand;
import io.cloudkon.client.cli.ResultsCommand;
import io.cloudkon.client.cli.RunCommand;
import io.cloudkon.client.cli.RunsCommand;
import io.cloudkon.client.cli.SetupCommand;
import io.cloudkon.client.cli.StatusCommand;
import io.cloudkon.client.cli.TeardownCommand;
import io.cloudkon.client.cli.WaitCommand;
import io.cloudkon.core.config.KnownKeys;
import io.cloudkon.core.config.LayeredDefaults;
import io.cloudkon.examples.demo.DemoCommand;
import io.cloudkon.worker.cli.WorkerCommand;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * docs/reference.md lists every option of every command, in the commands' own words, and the
 * launcher's commands as the launcher does.
 */
class ReadmeOptionsTest {
  private static final List<String> COMMANDS =
      List.of(
          "run",
          "client",
          "results",
          "cat",
          "rerun",
          "runs",
          "wait",
          "plan",
          "worker",
          "status",
          "explain",
          "cancel",
          "dead list",
          "dead show",
          "dead redrive",
          "setup",
          "teardown",
          "local",
          "demo",
          "provisioner");

  private static final Pattern USAGE =
      Pattern.compile("<!-- usage -->\n+```\n(.*?)```\n+<!-- end -->", Pattern.DOTALL);

  private static final Pattern LAUNCHER =
      Pattern.compile("\nusage\\(\\) \\{\n  cat <<'END'\n(.*?)END\n", Pattern.DOTALL);

  private static final String UPDATE =
      "mvn -pl examples -am test -Dtest=ReadmeOptionsTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dcloudkon.docs.update=true";

  static List<String> commands() {
    return COMMANDS;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void table_of_options_is_what_the_command_says(String command) throws Exception {
    String expected = OptionTables.of(commandLine(command).getCommandSpec());
    if (Boolean.getBoolean("cloudkon.docs.update")) {
      String reference = Documents.read(Documents.REFERENCE);
      Files.writeString(Documents.REFERENCE, OptionTables.with(reference, command, expected));
    }

    assertThat(OptionTables.table(Documents.read(Documents.REFERENCE), command))
        .as("put docs/reference.md right with: %s", UPDATE)
        .isEqualTo(expected);
  }

  @Test
  void every_table_belongs_to_a_command() {
    assertThat(OptionTables.commands(Documents.read(Documents.REFERENCE))).isEqualTo(COMMANDS);
  }

  @Test
  void list_of_commands_is_what_the_launcher_says() {
    Matcher launcher = LAUNCHER.matcher(Documents.read(Documents.HOME.resolve("cloudkon")));
    Matcher reference = USAGE.matcher(Documents.read(Documents.REFERENCE));

    assertThat(launcher.find()).isTrue();
    assertThat(reference.find()).isTrue();
    assertThat(reference.group(1)).isEqualTo(launcher.group(1));
    assertThat(COMMANDS)
        .allMatch(command -> launcher.group(1).contains("\n  " + command.split(" ")[0] + " "));
  }

  @Test
  void known_keys_are_those_of_all_commands() throws Exception {
    Set<String> keys = new TreeSet<>();
    for (String command : COMMANDS) {
      for (OptionSpec option : commandLine(command).getCommandSpec().options()) {
        if (!option.usageHelp() && !option.versionHelp()) {
          keys.add(LayeredDefaults.key(option));
        }
      }
    }
    keys.remove(LayeredDefaults.CONFIG_KEY);

    assertThat(new TreeSet<>(KnownKeys.ALL)).isEqualTo(keys);
  }

  private static CommandLine commandLine(String command) throws Exception {
    return switch (command) {
      case "run" -> new CommandLine(new RunCommand());
      case "client" -> new CommandLine(new ClientCommand());
      case "results" -> new CommandLine(new ResultsCommand());
      case "cat" -> new CommandLine(new CatCommand());
      case "rerun" -> new CommandLine(new RerunCommand());
      case "runs" -> new CommandLine(new RunsCommand());
      case "wait" -> new CommandLine(new WaitCommand());
      case "plan" -> new CommandLine(new PlanCommand());
      case "worker" -> new CommandLine(new WorkerCommand());
      case "status" -> new CommandLine(new StatusCommand());
      case "explain" -> new CommandLine(new ExplainCommand());
      case "cancel" -> new CommandLine(new CancelCommand());
      case "dead list", "dead show", "dead redrive" ->
          new CommandLine(new DeadCommand()).getSubcommands().get(command.substring(5));
      case "setup" -> new CommandLine(new SetupCommand());
      case "teardown" -> new CommandLine(new TeardownCommand());
      case "local" -> local();
      case "demo" -> new CommandLine(new DemoCommand());
      case "provisioner" ->
          of("cloudkon-provisioner", "io.cloudkon.provisioner.cli.ProvisionerCommand");
      default -> throw new IllegalArgumentException(command);
    };
  }

  /** A command of a module that is not on our class path. */
  private static CommandLine of(String module, String type) throws Exception {
    try (URLClassLoader loader = classesOf(module)) {
      Constructor<?> command = loader.loadClass(type).getDeclaredConstructor();
      command.setAccessible(true);
      return new CommandLine(command.newInstance());
    }
  }

  /**
   * Only its command line is loaded: what the emulators need must never stand on our class path.
   */
  private static CommandLine local() throws Exception {
    try (URLClassLoader loader = classesOf("localstack")) {
      Method commandLine =
          loader.loadClass("io.cloudkon.local.LocalMain").getDeclaredMethod("commandLine");
      commandLine.setAccessible(true);
      return (CommandLine) commandLine.invoke(null);
    }
  }

  private static URLClassLoader classesOf(String module) throws Exception {
    URL classes = Documents.HOME.resolve(module).resolve("target/classes").toUri().toURL();
    return new URLClassLoader(new URL[] {classes}, ReadmeOptionsTest.class.getClassLoader());
  }
}
