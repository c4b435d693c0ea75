package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cloudkon.core.process.ShellWord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Explains why an existing script was not found: in a file from Windows, the interpreter's name
 * ends with a carriage return. Checked only if the exit code is one of those with which a shell
 * reports a command that it cannot start. Stateless.
 */
final class ScriptHint {
  private static final int NOT_STARTABLE = 126;
  private static final int NOT_FOUND = 127;
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
      return hasCarriageReturn(file)
          ? "; %s has line ends of Windows; convert it with: sed -i 's/\\r$//' %s"
              .formatted(program, ShellWord.of(program))
          : "";
    } catch (IOException | CommandLine.CannotStartException e) {
      return "";
    }
  }

  /** The program of a shell's command line, if it stands there without quotes. */
  private static String firstWord(String line) {
    return line.strip().split("\\s", 2)[0];
  }

  private static boolean hasCarriageReturn(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(LINE), ISO_8859_1);
      int end = text.indexOf('\n');
      return text.startsWith("#!") && end > 0 && text.charAt(end - 1) == '\r';
    }
  }
}
