package io.cloudkon.examples.commands;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A folder that looks like the checkout to what runs in it, as it holds a link to everything there.
 * What commands write stays in the folder.
 */
public final class Workspace {
  /** The checkout that is being built. */
  public static final Path CHECKOUT = Path.of(System.getProperty("cloudkon.home"));

  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
  private static final int LIMIT_MINUTES = 4;

  private final Path folder;

  /**
   * Links everything of the checkout but its build output.
   *
   * @param folder is empty
   */
  public Workspace(Path folder) throws IOException {
    this.folder = folder;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(CHECKOUT)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.startsWith(".") && !name.equals("target")) {
          Files.createSymbolicLink(folder.resolve(name), entry);
        }
      }
    }
  }

  /** Whether a program of this name is on the path. */
  public static boolean has(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** A file that commands wrote. */
  public Path file(String name) {
    return folder.resolve(name);
  }

  /** Runs commands up to the first that fails. */
  public Ended run(String commands) throws IOException, InterruptedException {
    return run(commands, ":");
  }

  /**
   * As above.
   *
   * @param atEnd a command that runs in any case, after the last or the one that failed
   */
  public Ended run(String commands, String atEnd) throws IOException, InterruptedException {
    Path script = Files.createTempFile(folder, "commands", ".sh");
    // What was left in the background ends first; not what ended by itself, whose id may be new.
    Files.writeString(
        script,
        """
        at_end() {
          jobs -l >jobs
          for job in $(sed -n 's/.* \\([0-9][0-9]*\\) *Running.*/\\1/p' jobs); do kill "$job"; done
          %s
        }
        trap 'at_end || :' EXIT
        %s\
        """
            .formatted(atEnd, commands));
    Path out = Files.createTempFile(folder, "stdout", ".txt");
    Path err = Files.createTempFile(folder, "stderr", ".txt");
    Process shell =
        process()
            .command("sh", "-e", script.toString())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!shell.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      List<ProcessHandle> children = shell.descendants().toList();
      shell.destroyForcibly().waitFor();
      children.forEach(ProcessHandle::destroyForcibly);
      throw new AssertionError(
          "still running after %d minutes: %s%s%s"
              .formatted(LIMIT_MINUTES, commands, Files.readString(out), Files.readString(err)));
    }
    return new Ended(shell.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** A process that is yet to get a command: it starts here, with an environment of this build. */
  public ProcessBuilder process() {
    ProcessBuilder builder = new ProcessBuilder().directory(folder.toFile());
    surround(builder.environment());
    return builder;
  }

  /** This build's jars, this test's Java, and nothing of the person's own AWS or CloudKon. */
  private void surround(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("CLOUDKON_"));
    environment.putAll(
        Map.of(
            "AWS_EC2_METADATA_DISABLED",
            "true",
            "AWS_CONFIG_FILE",
            file("no-aws-config").toString(),
            "AWS_SHARED_CREDENTIALS_FILE",
            file("no-aws-credentials").toString(),
            "CLOUDKON_BUILD",
            "off",
            "JAVA_HOME",
            JAVA_HOME.toString(),
            "LC_ALL",
            "C",
            "PATH",
            JAVA_HOME.resolve("bin") + File.pathSeparator + System.getenv("PATH"),
            "XDG_STATE_HOME",
            file("state").toString()));
  }
}
