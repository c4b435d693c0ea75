package io.cloudkon.client.cli;

import io.cloudkon.core.config.LayeredDefaults;
import io.cloudkon.core.error.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that were given for a submission, which are kept with the run and used again.
 *
 * @param values the values by the option's longest name; empty for a flag
 */
record GivenOptions(Map<String, List<String>> values) {
  /** The options of every submission, read by reflection once. */
  private static final CommandSpec DECLARED = CommandSpec.forAnnotatedObject(new SubmitOptions());

  /** The options that concern a single submission only. */
  private static final Set<String> ONCE =
      Set.of(
          "--run-id",
          "--out",
          "--force",
          "--detach",
          "--no-progress",
          "--quiet",
          "--json",
          "--config");

  /** The options about the cluster's location and the output. */
  private static final Set<String> SURROUNDINGS =
      Set.of("--bucket", "--insecure-endpoint", "--no-progress", "--quiet", "--json");

  /** The options that a run keeps when it is resumed, unless they are given again. */
  private static final Set<String> RESUMED =
      Set.of("-t", "--preset", "--bundle", "--bundle-target", "--priority");

  /** The options of a command from its command line, the environment and the configuration. */
  static GivenOptions of(CommandSpec command) {
    return layered(command).under(onCommandLine(command));
  }

  /**
   * The options for resuming a run: those of a command, and beneath what is given to it explicitly
   * those that the run was submitted with, as far as they are not in the run's journal. A limit on
   * failures is not kept: results that come while nobody counts them would cancel the run at once.
   *
   * @param submitted the options that the run was submitted with
   */
  static SubmitOptions resumed(CommandSpec command, Map<String, List<String>> submitted) {
    Map<String, List<String>> kept = new LinkedHashMap<>(submitted);
    kept.keySet().retainAll(RESUMED);
    GivenOptions given = explicitly(command, Set.of());
    GivenOptions usual = layered(command);
    usual.values.remove("--max-failures");
    SubmitOptions all = usual.under(new GivenOptions(kept)).under(given).parse();
    if (!given.values.containsKey("--priority")) {
      all.priorityBefore = all.priority;
      all.priority = null;
    }
    return all;
  }

  /** The options on a command's command line. */
  static GivenOptions onCommandLine(CommandSpec command) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (OptionSpec option : submitOptions(command)) {
      if (command.commandLine().getParseResult().hasMatchedOption(option)) {
        values.put(option.longestName(), option.originalStringValues());
      }
    }
    return new GivenOptions(values);
  }

  /**
   * The options on a command's command line, and those in the file that it names there, except
   * where the environment goes before the file.
   *
   * @param notFromFile the options that the file does not set
   */
  static GivenOptions explicitly(CommandSpec command, Set<String> notFromFile) {
    GivenOptions given = onCommandLine(command);
    return given.values.containsKey("--config")
        ? from(
                command,
                (defaults, option) ->
                    notFromFile.contains(option.longestName())
                        ? Optional.empty()
                        : settingOfFile(defaults, option))
            .under(given)
        : given;
  }

  /** The file's value, or the environment's instead if that goes before it. */
  private static Optional<LayeredDefaults.Setting> settingOfFile(
      LayeredDefaults defaults, OptionSpec option) {
    Optional<LayeredDefaults.Setting> inFile = defaults.settingInFile(option);
    return inFile.isPresent() && SURROUNDINGS.contains(option.longestName())
        ? defaults.setting(option)
        : inFile;
  }

  /** The options from the environment and the configuration. */
  private static GivenOptions layered(CommandSpec command) {
    return from(command, LayeredDefaults::setting);
  }

  private static GivenOptions from(
      CommandSpec command,
      BiFunction<LayeredDefaults, OptionSpec, Optional<LayeredDefaults.Setting>> layer) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    IDefaultValueProvider provider = command.defaultValueProvider();
    if (provider instanceof LayeredDefaults defaults) {
      for (OptionSpec option : submitOptions(command)) {
        layer
            .apply(defaults, option)
            .ifPresent(setting -> values.put(option.longestName(), List.of(setting.value())));
      }
    }
    return new GivenOptions(values);
  }

  /** The options from the environment and the configuration that are not part of the run itself. */
  static GivenOptions surroundings(CommandSpec command) {
    Map<String, List<String>> values = new LinkedHashMap<>(layered(command).values);
    values.keySet().retainAll(SURROUNDINGS);
    return new GivenOptions(values);
  }

  private static List<OptionSpec> submitOptions(CommandSpec command) {
    return DECLARED.options().stream()
        .flatMap(option -> Optional.ofNullable(command.findOption(option.longestName())).stream())
        .toList();
  }

  /** These options, overridden by others. */
  GivenOptions under(GivenOptions others) {
    Map<String, List<String>> both = new LinkedHashMap<>(values);
    both.putAll(others.values);
    return new GivenOptions(both);
  }

  /**
   * The options that define a run, with absolute paths, so that a later run may be started in
   * another directory.
   */
  GivenOptions lasting() {
    Map<String, List<String>> lasting = new LinkedHashMap<>();
    values.forEach((name, given) -> {
      if (!ONCE.contains(name)) {
        lasting.put(name, isPath(DECLARED.findOption(name)) ? absolute(given) : given);
      }
    });
    return new GivenOptions(lasting);
  }

  private static boolean isPath(OptionSpec option) {
    return List.of(option.auxiliaryTypes()).contains(Path.class)
        || option.type().equals(Path.class);
  }

  private static List<String> absolute(List<String> paths) {
    return paths.stream().map(path -> Path.of(path).toAbsolutePath().toString()).toList();
  }

  /** Parses the options as if they were on a command line. */
  SubmitOptions parse() {
    List<String> words = new ArrayList<>();
    values.forEach((name, given) -> {
      if (DECLARED.findOption(name) == null) {
        throw new UsageException(
            "%s: a submission has no such option; is the run from another version of CloudKon?"
                .formatted(name));
      }
      given.forEach(value -> words.add(name + "=" + value));
      if (given.isEmpty()) {
        words.add(name);
      }
    });
    SubmitOptions options = new SubmitOptions();
    var unused = new CommandLine(options).parseArgs(words.toArray(String[]::new));
    return options;
  }
}
