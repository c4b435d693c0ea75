package io.cloudkon.client.report;

import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file in a run's folder that holds its tasks, if they are in no file of the user's. Stateless.
 */
public final class KeptWorkload {
  static final String FILE = "workload.jsonl";

  private KeptWorkload() {}

  /** The file, which {@code copy} writes. */
  public static KeptFile of(KeptFile.Copy copy) {
    return new KeptFile(FILE, copy);
  }

  /** The file in a folder; empty if there is none. */
  public static Optional<Path> in(Path folder) {
    return Optional.of(place(folder)).filter(Files::isRegularFile);
  }

  /** Whether a path ends in the name of such a file. */
  public static boolean isNamed(Path file) {
    return file.endsWith(FILE);
  }

  /** Whether a path is that of the file in a folder. */
  public static boolean is(Path file, Path folder) {
    return place(folder).toAbsolutePath().normalize().equals(file.normalize());
  }

  /** The file's path in a folder, whether or not it exists. */
  static Path place(Path folder) {
    return folder.resolve(FILE);
  }

  /**
   * Checks that no file of the user's would be replaced.
   *
   * @throws UsageException if there is a file of this name that is not the workload of a former run
   */
  static void check(Path folder) {
    Path file = place(folder);
    if (Files.exists(file) && !isOfFormerRun(folder)) {
      throw RefusedFolder.foreign(file);
    }
  }

  /** Whether the file is that of a former run, by {@code cloudkon.json} or by the journal. */
  private static boolean isOfFormerRun(Path folder) {
    return KeptOptions.haveWorkload(folder)
        || RunFolder.headerIn(folder)
            .filter(former -> is(Path.of(former.file()), folder))
            .isPresent();
  }
}
