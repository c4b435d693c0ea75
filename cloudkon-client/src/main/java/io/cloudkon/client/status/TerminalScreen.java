package io.cloudkon.client.status;

import static java.util.stream.Collectors.joining;

import io.cloudkon.core.cli.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal of standard output, used as a separate screen; its former content is restored when
 * this is closed. If standard input is a terminal too, keys are read one by one and not echoed
 * meanwhile. Java cannot control terminals, so this class uses the shell's {@code stty}. Thread
 * safe.
 */
public final class TerminalScreen implements Display, AutoCloseable {
  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final Pattern SIZE = Pattern.compile("(\\d+) (\\d+)\\s*");

  /** That of a terminal which does not know its size. */
  private static final Size USUAL = new Size(24, 80);

  private static final String ASK = "stty size <&1 >&2";

  /** Disables Ctrl-Z, which would leave a shell with this screen's settings. */
  private static final String KEYS = "stty -echo -icanon min 1 time 0 susp undef";

  private final PrintStream out;
  private final String habits;
  private volatile Size size = USUAL;
  private boolean closed;

  /**
   * Takes over the terminal.
   *
   * @param out standard output, which must be a terminal: see {@link #isThere}
   */
  public TerminalScreen(PrintStream out) {
    this.out = out;
    this.habits = shell("test -t 0 && stty -g >&2").strip();
    if (!habits.isEmpty()) {
      shell(KEYS);
    }
    out.print(ENTER);
    out.flush();
  }

  /** Whether standard output is a terminal that can draw. */
  public static boolean isThere(Map<String, String> environment) {
    return !"dumb".equals(environment.get("TERM")) && !shell("test -t 1 && echo yes >&2").isEmpty();
  }

  /** The terminal's width, if {@link #isThere}; 80 if the terminal does not know it. */
  public static OptionalInt columns(Map<String, String> environment) {
    if (!isThere(environment)) {
      return OptionalInt.empty();
    }
    Matcher answer = SIZE.matcher(shell(ASK));
    int columns = answer.matches() ? Integer.parseInt(answer.group(2)) : 0;
    return OptionalInt.of(columns > 0 ? columns : USUAL.columns());
  }

  /** Whether keys can be read from standard input, one by one. */
  public boolean hasKeys() {
    return !habits.isEmpty();
  }

  @Override
  public Size size() {
    Matcher answer = SIZE.matcher(shell(ASK));
    if (answer.matches()) {
      int rows = Integer.parseInt(answer.group(1));
      int columns = Integer.parseInt(answer.group(2));
      if (rows > 0 && columns > 0) {
        size = new Size(rows, columns);
      }
    }
    return size;
  }

  /** Writes over the previous content, so that nothing flickers. */
  @Override
  public synchronized void draw(List<String> lines) {
    if (!closed) {
      String text = lines.stream().map(Printable::text).collect(joining("\033[K\r\n"));
      out.print("\033[H" + text + "\033[K\033[J");
      out.flush();
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      out.print(LEAVE);
      out.flush();
      if (!habits.isEmpty()) {
        shell("stty " + habits);
      }
    }
  }

  /** The standard error of a shell script on this terminal; empty if it fails. */
  private static String shell(String script) {
    try {
      Process shell =
          new ProcessBuilder("/bin/sh", "-c", script)
              .redirectInput(Redirect.INHERIT)
              .redirectOutput(Redirect.INHERIT)
              .start();
      String answer = new String(shell.getErrorStream().readAllBytes(), StandardCharsets.US_ASCII);
      return shell.waitFor() == 0 ? answer : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
