package io.cloudkon.core.config;

import io.cloudkon.core.error.UsageException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values of options that the command line does not give: the environment's {@code
 * CLOUDKON_OPT_CONSISTENCY=…}, else the configuration file's {@code consistency = …}, else the
 * option's own default. A key is the option's long name without its dashes. Immutable and thread
 * safe.
 */
public final class LayeredDefaults implements IDefaultValueProvider {
  /** The prefix of every variable's name. */
  public static final String PREFIX = "CLOUDKON_OPT_";

  /** The option that names the file; a variable may set it, a file may not. */
  public static final String CONFIG_KEY = "config";

  private static final Set<String> NEVER_KEYS = Set.of("help", "version");

  private final Map<String, Setting> settings;
  private final Map<String, Setting> inFile;

  /** A value and its source, for messages. */
  public record Setting(String value, String where) {}

  private LayeredDefaults(Map<String, Setting> settings, Map<String, Setting> inFile) {
    this.settings = Map.copyOf(settings);
    this.inFile = Map.copyOf(inFile);
  }

  /**
   * Reads both layers and checks every key against the command and its subcommands. A variable of
   * another command's option is ignored.
   *
   * @param command whose options are the known keys
   * @param environment the process's variables; those without the prefix are ignored
   * @param file the configuration file, or null for none
   * @throws UsageException if a key is unknown or the file cannot be read
   */
  public static LayeredDefaults load(
      CommandSpec command, Map<String, String> environment, @Nullable Path file) {
    Set<String> known = keys(command);
    Map<String, Setting> settings = new HashMap<>();
    if (file != null) {
      Set<String> inFile = new TreeSet<>(known);
      inFile.remove(CONFIG_KEY);
      ConfigFile.read(file)
          .forEach((key, entry) -> {
            if (!inFile.contains(key)) {
              throw new UsageException(
                  "%s: unknown key '%s'%s"
                      .formatted(entry.where(), key, Nearest.hint(key, inFile)));
            }
            settings.put(key, new Setting(entry.value().strip(), entry.where()));
          });
    }
    Map<String, Setting> ofFile = Map.copyOf(settings);
    Map<String, String> variables = new TreeMap<>();
    known.forEach(key -> variables.put(variable(key), key));
    new TreeMap<>(environment)
        .forEach((name, value) -> {
          if (!name.startsWith(PREFIX)) {
            return;
          }
          String key = variables.get(name);
          if (key != null) {
            settings.put(key, new Setting(value, "environment variable " + name));
          } else if (!isOfAnother(name)) {
            throw new UsageException(
                "unknown environment variable %s%s"
                    .formatted(name, Nearest.hint(name, variables.keySet())));
          }
        });
    return new LayeredDefaults(settings, ofFile);
  }

  /** Whether another command has an option for the variable. */
  private static boolean isOfAnother(String variable) {
    return Stream.concat(KnownKeys.ALL.stream(), Stream.of(CONFIG_KEY))
        .anyMatch(key -> variable(key).equals(variable));
  }

  /**
   * The variable that sets a key: {@code exit-when-idle} is {@code CLOUDKON_OPT_EXIT_WHEN_IDLE}.
   */
  public static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** An option's key: its longest name without dashes. */
  public static String key(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return setting(argument).map(Setting::value).orElse(null);
  }

  /** The value of an argument in the environment or the file, if any. */
  public Optional<Setting> setting(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? Optional.ofNullable(settings.get(key(option)))
        : Optional.empty();
  }

  /** The value of an argument in the file, if any, also if the environment has another one. */
  public Optional<Setting> settingInFile(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? Optional.ofNullable(inFile.get(key(option)))
        : Optional.empty();
  }

  private static Set<String> keys(CommandSpec command) {
    Set<String> keys = new TreeSet<>(Comparator.naturalOrder());
    for (OptionSpec option : command.options()) {
      if (!option.usageHelp() && !option.versionHelp() && !NEVER_KEYS.contains(key(option))) {
        keys.add(key(option));
      }
    }
    command.subcommands().values().forEach(sub -> keys.addAll(keys(sub.getCommandSpec())));
    return keys;
  }
}
