package io.cloudkon.bench.rivals;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Python virtual environments, one for each rival, with exactly the packages whose hashes are
 * listed.
 *
 * @param folder their folder; environments of an earlier run are reused as long as the hashes are
 *     the same
 * @param runner runs the installers
 */
record PythonEnvironments(Path folder, ProcessRunner runner) {
  private static final String STAMP = "installed";
  private static final Map<String, String> QUIET = Map.of("PIP_DISABLE_PIP_VERSION_CHECK", "1");

  /** The Python of the machine, which creates the environments. */
  static final String PYTHON = "python3";

  /** Writes the files that the rivals need, all to this folder. */
  static void unpack(Path folder) throws IOException {
    resource("rival.py", folder);
    for (Competitor competitor : Competitor.values()) {
      if (hasScript(competitor)) {
        resource(script(competitor), folder);
      }
    }
  }

  /** Whether a Python script of ours runs it. */
  static boolean hasScript(Competitor competitor) {
    return competitor == Competitor.THREADS || competitor.role() == Competitor.Role.RIVAL;
  }

  static String script(Competitor competitor) {
    return "run_%s.py".formatted(competitor.label());
  }

  /**
   * Installs a rival unless it is installed.
   *
   * @return its Python
   * @throws CloudKonException if the installation fails
   */
  Path install(Competitor rival) throws IOException, InterruptedException {
    Path home = folder.resolve(rival.label());
    Path python = home.resolve("bin").resolve(PYTHON);
    Path requirements = resource(rival.label() + ".txt", folder);
    Path stamp = home.resolve(STAMP);
    if (Files.isRegularFile(stamp)
        && Files.isExecutable(python)
        && Files.mismatch(stamp, requirements) < 0) {
      return python;
    }
    run(rival, PYTHON, "-m", "venv", "--clear", home.toString());
    run(
        rival,
        python.toString(),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--require-hashes",
        "-r",
        requirements.toString());
    Files.copy(requirements, stamp, StandardCopyOption.REPLACE_EXISTING);
    return python;
  }

  private void run(Competitor rival, String... command) throws IOException, InterruptedException {
    try {
      var unused = runner.run("install-" + rival.label(), List.of(command), QUIET);
    } catch (IOException e) {
      throw new CloudKonException("%s could not be started: %s".formatted(command[0], e), e);
    }
  }

  private static Path resource(String name, Path folder) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in =
        Objects.requireNonNull(PythonEnvironments.class.getResourceAsStream(name), name)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }
}
