package io.cloudkon.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command that has run to its end. */
record Started(int exitCode, String stdout, String stderr) {

  /** The checkout that is being built. */
  static final Path HOME = Path.of(System.getProperty("cloudkon.home"));

  /** The java that runs this test. */
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  static Started of(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    return of(command, environment, HOME);
  }

  /** Runs it in a folder. */
  static Started of(List<String> command, Map<String, String> environment, Path folder)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("stdout", ".txt");
    Path err = Files.createTempFile("stderr", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command + " is still running after a minute");
      }
      return new Started(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
