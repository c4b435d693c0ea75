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

/** The processor time of whole commands, user and system, as the shell reports it. */
final class CpuSeconds {
  private static final String TIMED = "\"$@\" >/dev/null </dev/null && times";
  private static final Pattern TIME = Pattern.compile("(\\d+)m([\\d.]+)s");

  private CpuSeconds() {}

  /**
   * Runs a command, which must succeed, and returns the processor time of it and its processes.
   *
   * @param environment added to that of this process
   * @param folder the command's working folder, also for its output
   */
  static double of(List<String> command, Map<String, String> environment, Path folder)
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
    builder.environment().putAll(environment);
    int code = builder.start().waitFor();
    if (code != 0) {
      throw new CloudKonException(
          "%s ended with %d:%n%s"
              .formatted(String.join(" ", command), code, Files.readString(errors)));
    }
    return ofChildren(Files.readString(times));
  }

  /**
   * The children's user and system time in the output of {@code times}, which prints the shell's
   * own times first.
   */
  static double ofChildren(String times) {
    return TIME.matcher(times).results().skip(2).mapToDouble(CpuSeconds::seconds).sum();
  }

  private static double seconds(MatchResult time) {
    return 60 * Double.parseDouble(time.group(1)) + Double.parseDouble(time.group(2));
  }
}
