package io.cloudkon.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * What a command line shows, and how it ends.
 *
 * @param status the exit code
 * @param out standard output
 * @param err standard error
 */
public record Screen(int status, String out, String err) {

  /** Runs {@code bench} with these arguments. */
  public static Screen of(String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(shown, true, UTF_8));
      System.setErr(new PrintStream(complained, true, UTF_8));
      int status = Cli.run(new BenchCommand(), arguments);
      return new Screen(status, shown.toString(UTF_8), complained.toString(UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
