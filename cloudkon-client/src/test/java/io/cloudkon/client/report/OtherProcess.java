package io.cloudkon.client.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A program of a test in a process of its own, which sees files as another client does. */
public final class OtherProcess {
  private OtherProcess() {}

  /** Everything that a program with this argument prints, without blanks at its ends. */
  public static String says(Class<?> program, Path argument) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                argument.toString())
            .redirectErrorStream(true)
            .start();
    try (InputStream said = process.getInputStream()) {
      return new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
    } finally {
      process.destroyForcibly();
    }
  }
}
