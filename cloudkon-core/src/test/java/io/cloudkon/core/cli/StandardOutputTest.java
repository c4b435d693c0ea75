package io.cloudkon.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  /** A stream whose every write fails for this reason. */
  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(reason);
      }
    };
  }

  private static int write(String reason) {
    return StandardOutput.write(failing(reason), out -> out.write('x'));
  }

  @Test
  void closed_pipe_ends_quietly_in_any_language() {
    assertThat(write("Broken pipe")).isEqualTo(1);
    assertThat(write("Datenübergabe unterbrochen (broken pipe)")).isEqualTo(1);
    assertThat(StandardOutput.wordsOfClosedPipe()).isPresent();
    assertThat(write(StandardOutput.wordsOfClosedPipe().orElseThrow())).isEqualTo(1);
  }

  /** On a pipe they were taken for a reader that has left. */
  @Test
  void other_reason_is_said_and_is_no_fault_of_a_service() {
    for (String reason :
        List.of(
            "Resource temporarily unavailable",
            "Input/output error",
            "Bad file descriptor",
            "No space left on device")) {
      assertThatThrownBy(() -> write(reason))
          .isInstanceOfSatisfying(
              LocalFileException.class, e -> assertThat(e.exitCode()).isEqualTo(1))
          .hasMessage("standard output cannot be written: " + reason);
    }
  }

  @Test
  void reader_that_leaves_a_pipe_is_told_from_a_pipe_that_is_full() throws Exception {
    assumeTrue(
        Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
        "pipes of processes were not tried: there is no python3 on the PATH");

    assertThat(through("os.close(r)")).isEqualTo("1 []");
    assertThat(through("os.set_blocking(w, False)"))
        .startsWith("1 [standard output cannot be written: ")
        .contains("unavailable");
  }

  /**
   * The exit code of a process that writes more than a pipe holds, and what it says.
   *
   * @param before what is done to the pipe before, in Python; nobody reads from it
   */
  private static String through(String before) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                "python3",
                "-c",
                """
                import os, subprocess, sys
                r, w = os.pipe()
                %s
                done = subprocess.run(sys.argv[1:], stdout=w, stderr=subprocess.PIPE, text=True)
                print(done.returncode, "[" + done.stderr.strip() + "]")
                """
                    .formatted(before),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Writes.class.getName()));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      return new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A command that prints a mebibyte. */
  static final class Writes {
    private Writes() {}

    public static void main(String[] args) {
      try {
        System.exit(StandardOutput.write(out -> out.write(new byte[1 << 20])));
      } catch (CloudKonException e) {
        System.err.println(e.getMessage());
        System.exit(e.exitCode());
      }
    }
  }

  private static int printed(String reason, int code) {
    PrintStream out = new PrintStream(failing(reason), true, StandardCharsets.UTF_8);
    out.println("lost");
    return StandardOutput.check(code, out, failing(reason));
  }

  @Test
  void what_could_not_be_printed_is_no_success() {
    assertThatThrownBy(() -> printed("No space left on device", 0))
        .isInstanceOf(LocalFileException.class)
        .hasMessage("standard output cannot be written: No space left on device");
    assertThat(printed("Broken pipe", 0)).isEqualTo(1);
    assertThat(printed("No space left on device", 130)).isEqualTo(130);
  }

  /** There was room again for what came last. */
  @Test
  void missing_part_of_the_output_is_told() {
    PrintStream out = new PrintStream(failing("full"), true, StandardCharsets.UTF_8);
    out.println("lost");

    assertThatThrownBy(() -> StandardOutput.check(0, out, OutputStream.nullOutputStream()))
        .hasMessage("standard output cannot be written: a part of it is missing");
  }

  @Test
  void what_was_printed_is_a_success() {
    PrintStream out =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    out.println("there");

    assertThat(StandardOutput.check(0, out, failing("unused"))).isZero();
  }
}
