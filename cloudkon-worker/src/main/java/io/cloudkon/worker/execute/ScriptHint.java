package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.process.ShellWord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Explains why an existing script was not found: the interpreter in its first line does not exist,
 * or its name ends with a carriage return in a file from Windows. Checked only if the exit code is
 * one of those with which a shell reports a command that it cannot start. Stateless.
 */
final class ScriptHint {
  private static final int NOT_STARTABLE = 126;
  private static final int NOT_FOUND = 127;

  /** The number of bytes of a first line that the system reads. */
  private static final int LINE = 256;

  private ScriptHint() {}

  /** A clause to append to the error; empty if this was not the reason. */
  static String of(
      int exitCode, List<String> argv, Path directory, Map<String, String> environment) {
    if (exitCode != NOT_STARTABLE && exitCode != NOT_FOUND) {
      return "";
    }
    String program =
        argv.size() > 2 && argv.get(1).equals("-c") ? firstWord(argv.get(2)) : argv.getFirst();
    try {
      String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
      Path file = CommandLine.find(program, directory, path);
      return ofFirstLine(firstLine(file), program, directory);
    } catch (IOException | CommandLine.CannotStartException | InvalidPathException e) {
      return "";
    }
  }

  /** The program of a command line, if it stands there without quotes. */
  private static String firstWord(String line) {
    return line.strip().split("\\s", 2)[0];
  }

  private static String ofFirstLine(String line, String program, Path directory) {
    if (!line.startsWith("#!")) {
      return "";
    }
    if (line.endsWith("\r")) {
      return "; %s has line ends of Windows; convert it with: sed -i 's/\\r$//' %s"
          .formatted(program, ShellWord.of(program));
    }
    String interpreter = firstWord(line.substring(2));
    return interpreter.isEmpty() || Files.exists(directory.resolve(interpreter))
        ? ""
        : "; %s exists, but its interpreter %s does not; correct its first line or install that"
            .formatted(program, Printable.line(interpreter));
  }

  /** The first line of a file; empty if it is too long for one that names an interpreter. */
  private static String firstLine(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(LINE), ISO_8859_1);
      int end = text.indexOf('\n');
      return end < 0 ? "" : text.substring(0, end);
    }
  }
}
