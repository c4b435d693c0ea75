package io.cloudkon.client.report;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** The run whose files {@code --force} replaces. Stateless. */
final class FormerRun {
  private FormerRun() {}

  /**
   * Checks that files which a new run would replace are those of a run, and not the user's own.
   *
   * @param names the names of such files
   * @throws io.cloudkon.core.error.UsageException if one of them is in a folder that is not a run's
   */
  static void check(Path folder, List<String> names) {
    for (String name : names) {
      Path file = folder.resolve(name);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isOf(folder)) {
        throw RefusedFolder.foreign(file);
      }
    }
  }

  /** Whether the folder is a run's, by {@code cloudkon.json} or by the journal. */
  private static boolean isOf(Path folder) {
    return RunFolder.headerIn(folder).isPresent() || KeptOptions.ifReadable(folder).isPresent();
  }
}
