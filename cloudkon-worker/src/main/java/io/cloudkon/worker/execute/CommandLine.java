package io.cloudkon.worker.execute;

import io.cloudkon.core.process.ShellWord;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds a command's program as the shell would, before anything is started, for clear errors. */
final class CommandLine {
  private static final int NOT_FOUND = 127;
  private static final int NOT_STARTABLE = 126;
  private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * The charset of this process's arguments. It follows the locale; in the C locale it is ASCII.
   */
  private static final Charset ARGUMENTS =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private CommandLine() {}

  /** A command cannot start. Holds the reason and the exit code that a shell would give. */
  static final class CannotStartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String reason;

    CannotStartException(int exitCode, String reason) {
      super(reason);
      this.exitCode = exitCode;
      this.reason = reason;
    }

    int exitCode() {
      return exitCode;
    }

    String reason() {
      return reason;
    }
  }

  /**
   * The arguments to start with. A program whose name looks like an option is replaced by its path.
   * Variables whose names are not valid in a shell are passed by {@code env}.
   *
   * @param otherUser whether another user than the worker's runs it, who may see more files: an
   *     absolute path at which the worker may see none is then left to that user's attempt
   */
  static List<String> resolve(
      List<String> argv, Path directory, Map<String, String> environment, boolean otherUser)
      throws CannotStartException {
    String program = argv.getFirst();
    Path found =
        otherUser && isHidden(program)
            ? Path.of(program)
            : find(program, directory, environment.getOrDefault("PATH", "/usr/bin:/bin"));
    List<String> command = new ArrayList<>();
    environment.forEach((name, value) -> {
      if (!SHELL_NAME.matcher(name).matches()) {
        command.add(name + "=" + value);
      }
    });
    if (!command.isEmpty()) {
      command.addFirst("env");
      if (program.indexOf('=') >= 0) {
        // else env takes the program for a variable; a shell between would drop the odd names
        command.addAll(List.of("nice", "-n", "0"));
      }
    }
    command.add(program.startsWith("-") ? found.toString() : program);
    command.addAll(argv.subList(1, argv.size()));
    checkLetters(command, ARGUMENTS);
    return command;
  }

  /** Whether this is an absolute path at which there may be a program that only others may use. */
  private static boolean isHidden(String program) {
    if (!program.startsWith("/")) {
      return false;
    }
    try {
      Path file = Path.of(program);
      return !Files.isExecutable(file)
          && !Files.isDirectory(file)
          && (Files.exists(file) ? isAnyonesToExecute(file) : !Files.notExists(file));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean isAnyonesToExecute(Path file) {
    try {
      return Files.getPosixFilePermissions(file).stream()
          .anyMatch(each -> each.name().endsWith("_EXECUTE"));
    } catch (IOException e) {
      return true;
    }
  }

  /** Rejects characters that the charset lacks: Java would replace them with question marks. */
  static void checkLetters(List<String> words, Charset arguments) throws CannotStartException {
    if (arguments.equals(StandardCharsets.UTF_8)) {
      return;
    }
    for (String word : words) {
      if (!arguments.newEncoder().canEncode(word)) {
        throw new CannotStartException(
            NOT_STARTABLE,
            "the argument '%s' has characters that this worker's locale (%s) does not support; start the worker with LC_ALL=C.UTF-8"
                .formatted(word, arguments.name()));
      }
    }
  }

  /** The program's file, as the shell would find it. */
  static Path find(String program, Path directory, String path) throws CannotStartException {
    try {
      return program.indexOf('/') >= 0
          ? usable(program, directory, directory.resolve(program))
          : search(program, directory, path);
    } catch (InvalidPathException e) {
      throw new CannotStartException(NOT_FOUND, "command not found: " + e.getMessage());
    }
  }

  private static Path search(String program, Path directory, String path)
      throws CannotStartException {
    Path unusable = null;
    for (String place : path.split(File.pathSeparator, -1)) {
      Path candidate = directory.resolve(place).resolve(program);
      if (Files.isRegularFile(candidate) && !program.isEmpty()) {
        if (Files.isExecutable(candidate)) {
          return candidate;
        }
        unusable = candidate;
      }
    }
    if (unusable != null) {
      return usable(program, directory, unusable);
    }
    String hint =
        !program.isEmpty() && Files.isRegularFile(directory.resolve(program))
            ? "; the file of that name in its directory is ./" + program
            : "; it is in none of the %d folders of PATH"
                .formatted(path.split(File.pathSeparator, -1).length);
    throw new CannotStartException(NOT_FOUND, "command not found: '" + program + "'" + hint);
  }

  private static Path usable(String program, Path directory, Path file)
      throws CannotStartException {
    if (!Files.exists(file)) {
      // Under LOCAL, tasks start where the user is.
      boolean isElsewhere = !directory.toAbsolutePath().equals(Path.of("").toAbsolutePath());
      String hint =
          isElsewhere && !program.startsWith("/")
              ? "; if it is a file of yours, send it with --ship"
              : "";
      throw new CannotStartException(NOT_FOUND, "command not found: " + program + hint);
    }
    if (Files.isDirectory(file)) {
      throw new CannotStartException(
          NOT_STARTABLE, "command not executable: " + program + ", a folder");
    }
    if (!Files.isExecutable(file)) {
      throw new CannotStartException(
          NOT_STARTABLE,
          "command not executable: %s; make it executable with: chmod +x %s"
              .formatted(program, ShellWord.of(program)));
    }
    return file;
  }
}
