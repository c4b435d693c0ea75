package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The time that a whole command took.
 *
 * @param processor its processor time in seconds, user and system, with that of its processes
 * @param elapsed the time from its start to its end in seconds
 */
record CommandSeconds(double processor, double elapsed) {
  private static final String TIMED = "\"$@\" >/dev/null </dev/null && times";
  private static final Pattern TIME = Pattern.compile("(\\d+)m([\\d.]+)s");

  /**
   * Runs a command, which must succeed. The shell reports the processor time.
   *
   * @param environment added to that of this process
   * @param folder the command's working folder, also for its output
   */
  static CommandSeconds of(List<String> command, Map<String, String> environment, Path folder)
      throws IOException, InterruptedException {
    Path times = folder.resolve("times");
    Path errors = folder.resolve("times.errors");
    List<String> timed = new ArrayList<>(List.of("/bin/sh", "-c", TIMED, "sh"));
    timed.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(timed)
            .directory(folder.toFile())
            .redirectOutput(times.toFile())
            .redirectError(errors.toFile());
    long begun = System.nanoTime();
    int code = BenchProcesses.start(builder, environment).waitFor();
    double elapsed = (System.nanoTime() - begun) / 1e9;
    if (code != 0) {
      throw new CloudKonException(
          "%s ended with %d:%n%s"
              .formatted(String.join(" ", command), code, Files.readString(errors)));
    }
    return new CommandSeconds(ofChildren(Files.readString(times)), elapsed);
  }

  /**
   * The children's user and system time in the output of {@code times}, which prints the shell's
   * own times first.
   */
  static double ofChildren(String times) {
    return TIME.matcher(times).results().skip(2).mapToDouble(CommandSeconds::seconds).sum();
  }

  private static double seconds(MatchResult time) {
    return 60 * Double.parseDouble(time.group(1)) + Double.parseDouble(time.group(2));
  }
}
