package io.cloudkon.client.report;

import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** The run whose files {@code --force} replaces. Stateless. */
final class FormerRun {
  private FormerRun() {}

  /**
   * Checks that files which a new run would replace are those of a run, and not the user's own, and
   * that no client works on that run.
   *
   * @param names the names of such files
   * @throws UsageException if a client does, or one of the files is in a folder that is not a run's
   */
  static void check(Path folder, List<String> names) {
    checkUnattended(folder);
    for (String name : names) {
      Path file = folder.resolve(name);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isOf(folder)) {
        throw RefusedFolder.foreign(file);
      }
    }
  }

  /**
   * Checks that no client of this machine works on the run in a folder: it would go on writing into
   * files that were removed, and delete the messages of those results.
   *
   * @throws UsageException if one does
   */
  static void checkUnattended(Path folder) {
    if (FolderState.isAttended(folder)) {
      throw RefusedFolder.attended(folder);
    }
  }

  /** Whether the folder is a run's, by {@code cloudkon.json} or by the journal. */
  private static boolean isOf(Path folder) {
    return RunFolder.headerIn(folder).isPresent() || KeptOptions.ifReadable(folder).isPresent();
  }
}
