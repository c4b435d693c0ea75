package io.cloudkon.client.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal behind the standard streams, if there is one. Java can only check standard input and
 * output together, so this class asks the shell.
 */
public final class Terminal {
  private static final int DEFAULT_COLUMNS = 80;
  private static final Pattern SIZE = Pattern.compile("\\d+ (\\d+)\\s*");
  private static final String QUESTION =
      "test -t 2 || exit 1; stty size 0<&2 2>/dev/null || echo 0 0";

  private Terminal() {}

  /**
   * The width of the terminal that standard error is connected to; empty if it is no terminal or a
   * dumb one.
   */
  public static OptionalInt columns(Map<String, String> environment) {
    if ("dumb".equals(environment.get("TERM"))) {
      return OptionalInt.empty();
    }
    try {
      Process shell =
          new ProcessBuilder("/bin/sh", "-c", QUESTION)
              .redirectInput(ProcessBuilder.Redirect.PIPE)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      shell.getOutputStream().close();
      String answer = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (!shell.waitFor(1, TimeUnit.SECONDS)) {
        shell.destroyForcibly();
        return OptionalInt.empty();
      }
      return shell.exitValue() == 0 ? parse(answer) : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  /** Whether standard input is a terminal, so that a person would have to type the input. */
  public static boolean isStandardInput() {
    return is(0);
  }

  /** Whether standard output is a terminal. */
  public static boolean isStandardOutput() {
    return is(1);
  }

  private static boolean is(int stream) {
    try {
      return new ProcessBuilder("/bin/sh", "-c", "test -t " + stream).inheritIO().start().waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The columns in the output of {@code stty size}; 80 if it names none. */
  static OptionalInt parse(String answer) {
    Matcher size = SIZE.matcher(answer);
    int columns = size.matches() ? Integer.parseInt(size.group(1)) : 0;
    return OptionalInt.of(columns > 0 ? columns : DEFAULT_COLUMNS);
  }
}
