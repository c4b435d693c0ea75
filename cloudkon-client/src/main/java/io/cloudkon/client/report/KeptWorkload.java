package io.cloudkon.client.report;

import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file in a run's folder that holds its tasks, if they are in no file of the user's: in JSON
 * Lines, or in text as they came. Stateless.
 */
public final class KeptWorkload {
  private static final String JSON_LINES = "workload.jsonl";
  private static final String TEXT = "workload.txt";

  /** Its possible names. */
  static final List<String> NAMES = List.of(JSON_LINES, TEXT);

  private KeptWorkload() {}

  /** The file in JSON Lines, which {@code copy} writes. */
  public static KeptFile of(KeptFile.Copy copy) {
    return of(WorkloadFormat.JSONL, copy);
  }

  /**
   * The file, which {@code copy} writes.
   *
   * @param format the format of the tasks; the file's name implies it
   */
  public static KeptFile of(WorkloadFormat format, KeptFile.Copy copy) {
    return new KeptFile(format == WorkloadFormat.TEXT ? TEXT : JSON_LINES, copy);
  }

  /** The file in a folder: the one that its run recorded, or any; empty if there is none. */
  public static Optional<Path> in(Path folder) {
    return Stream.concat(KeptOptions.workloadIn(folder).stream(), NAMES.stream())
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** Its name in the folder of a former run that recorded it; empty if there is none. */
  static Optional<String> ofFormerRun(Path folder) {
    return KeptOptions.workloadIn(folder).filter(name -> Files.isRegularFile(folder.resolve(name)));
  }

  /** Whether a path ends in the name of such a file. */
  public static boolean isNamed(Path file) {
    return NAMES.stream().anyMatch(file::endsWith);
  }

  /** Whether a path is that of such a file in a folder. */
  public static boolean is(Path file, Path folder) {
    return isNamed(file)
        && folder.toAbsolutePath().normalize().equals(file.normalize().getParent());
  }

  /**
   * Checks that no file of the user's would be replaced.
   *
   * @param name the name of the file to be written
   * @throws UsageException if there is a file of this name that is not the workload of a former run
   */
  static void check(Path folder, String name) {
    Path file = folder.resolve(name);
    if (Files.exists(file) && !isOfFormerRun(file, folder)) {
      throw RefusedFolder.foreign(file);
    }
  }

  /** Whether the file is that of a former run, by {@code cloudkon.json} or by the journal. */
  private static boolean isOfFormerRun(Path file, Path folder) {
    return KeptOptions.workloadIn(folder).filter(file::endsWith).isPresent()
        || RunFolder.headerIn(folder)
            .map(former -> Path.of(former.file()).normalize())
            .filter(file.toAbsolutePath().normalize()::equals)
            .isPresent();
  }
}
