package io.cloudkon.client.report;

import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The tasks of a run that are in no file of the user's: a file in the run's folder. Stateless. */
public final class KeptWorkload {
  static final String FILE = "workload.jsonl";

  private KeptWorkload() {}

  /** The file, to be written by somebody. */
  public static KeptFile of(KeptFile.Copy copy) {
    return new KeptFile(FILE, copy);
  }

  /** The one in a folder; empty if there is none. */
  public static Optional<Path> in(Path folder) {
    return Optional.of(place(folder)).filter(Files::isRegularFile);
  }

  /** Where it is in a folder, or will be. */
  static Path place(Path folder) {
    return folder.resolve(FILE);
  }

  /**
   * Checks that none of a user's would be replaced.
   *
   * @throws UsageException if there is a file of its name, and no former run's journal names it
   */
  static void check(Path folder) {
    Path file = place(folder);
    if (Files.exists(file) && !isOfFormerRun(file, folder)) {
      throw new UsageException(
          "%s is not of a former run, and would be replaced; name another folder with --out DIR"
              .formatted(file));
    }
  }

  private static boolean isOfFormerRun(Path file, Path folder) {
    return RunFolder.headerIn(folder)
        .map(former -> Path.of(former.file()).normalize())
        .filter(file.toAbsolutePath().normalize()::equals)
        .isPresent();
  }
}
