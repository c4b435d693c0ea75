package io.cloudkon.provisioner.cli;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.process.AotCache;
import io.cloudkon.core.process.ChildCollector;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The command that becomes a worker, in the form for {@code /bin/sh -c}. */
final class WorkerCommandLine {
  private static final String JAR = "cloudkon-worker.jar";

  /** Matches the first word after assignments, if the shell uses it unchanged. */
  private static final Pattern PROGRAM =
      Pattern.compile(
          "\\s*(?:[A-Za-z_]\\w*=[\\w./:,@%+-]*\\s+)*(?:exec\\s+)?([\\w./@%+-]+)(?:\\s.*)?",
          Pattern.DOTALL);

  private WorkerCommandLine() {}

  /**
   * The worker of this version, run by the same Java runtime as this process.
   *
   * @throws UsageException if the worker's jar is not found
   */
  static String ofThisVersion(List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Path jar = jar();
    words.addAll(AotCache.options(jar));
    words.addAll(ChildCollector.options());
    words.addAll(List.of("-jar", jar.toString()));
    words.addAll(arguments);
    return "exec " + words.stream().map(WorkerCommandLine::quoted).collect(Collectors.joining(" "));
  }

  private static Path jar() {
    List<Path> places = new ArrayList<>();
    String home = System.getProperty("cloudkon.home");
    if (home != null) {
      places.add(Path.of(home, "cloudkon-worker", "target", JAR));
    }
    Path own = ownFile();
    places.add(own.resolveSibling(JAR));
    places.add(
        own.resolve(Path.of("..", "..", "..", "cloudkon-worker", "target", JAR)).normalize());
    return places.stream()
        .filter(Files::isRegularFile)
        .findFirst()
        .map(Path::toAbsolutePath)
        .orElseThrow(() ->
            new UsageException(
                "%s was found neither beside the provisioner's jar nor in a checkout; build it with: mvn -DskipTests package, or give --worker-command"
                    .formatted(JAR)));
  }

  private static Path ownFile() {
    try {
      return Path.of(
          WorkerCommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("this jar's place is no file name", e);
    }
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /**
   * Checks that a user's command can be run, as far as this is possible without running it: the
   * shell must be able to parse it and find its first word.
   *
   * @throws UsageException if it cannot
   */
  static String checked(String command) {
    if (command.isBlank()) {
      throw new UsageException("--worker-command is empty: expected a command for /bin/sh -c");
    }
    if (!succeeds("-n", "-c", command)) {
      throw new UsageException(
          "--worker-command '%s' is not a complete command: /bin/sh -n finds a syntax error in it"
              .formatted(command));
    }
    Matcher program = PROGRAM.matcher(command);
    if (program.matches() && !succeeds("-c", "command -v -- \"$1\"", "sh", program.group(1))) {
      throw new UsageException(
          "--worker-command '%s': the command '%s' does not exist"
              .formatted(command, program.group(1)));
    }
    if (program.matches() && program.group(1).contains("/") && !runs(Path.of(program.group(1)))) {
      throw new UsageException(
          "--worker-command '%s': '%s' is not an executable file"
              .formatted(command, program.group(1)));
    }
    return command;
  }

  private static boolean runs(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  private static boolean succeeds(String... arguments) {
    List<String> argv = new ArrayList<>(List.of("/bin/sh"));
    argv.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(argv)
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UsageException(
          "--launcher process needs Linux or macOS: /bin/sh cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
