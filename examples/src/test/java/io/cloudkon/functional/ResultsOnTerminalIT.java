package io.cloudkon.functional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultsOnTerminalIT {
  private static final Path HOME = Path.of(System.getProperty("cloudkon.home"));

  /** Runs a command with standard output on a terminal of %d columns; prints what came there. */
  private static final String ON_TERMINAL =
      """
      import fcntl, os, pty, struct, subprocess, sys, termios
      ours, theirs = pty.openpty()
      fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, %d, 0, 0))
      done = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
      os.close(theirs)
      while True:
          try:
              text = os.read(ours, 65536)
          except OSError:
              break
          if not text:
              break
          sys.stdout.buffer.write(text)
      sys.exit(done.wait())
      """;

  @TempDir private Path folder;

  private String start(String... words) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(HOME.toFile()).redirectErrorStream(true);
    builder.environment().put("CLOUDKON_BUILD", "off");
    builder.environment().put("TERM", "xterm");
    Process process = builder.start();
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    } finally {
      process.destroyForcibly();
    }
  }

  /** A terminal that does not know its width, as a serial console, counts as one of 80 columns. */
  @ParameterizedTest
  @CsvSource({"70, 70", "0, 80"})
  void table_fits_the_terminal_also_if_standard_error_is_none(int columns, int width)
      throws Exception {
    assumeTrue(
        Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))),
        "no terminal was tried: there is no python3 on the PATH");
    String out = folder.resolve("out").toString();
    start("./cloudkon", "run", "-q", "--out", out, "--", "echo", "{}", ":::", "x".repeat(200));

    String terminal = ON_TERMINAL.formatted(columns);
    String table = start("python3", "-c", terminal, "./cloudkon", "results", out);

    assertThat(table.lines().filter(line -> !line.isBlank()))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
    assertThat(table).contains("SUCCEEDED");
  }
}
