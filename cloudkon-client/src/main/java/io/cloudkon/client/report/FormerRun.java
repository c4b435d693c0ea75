package io.cloudkon.client.report;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
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
   * @throws UsageException if one of them is in a folder that is not a run's
   */
  static void check(Path folder, List<String> names) {
    for (String name : names) {
      Path file = folder.resolve(name);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isOf(folder)) {
        throw new UsageException(
            "%s does not belong to an earlier run and would be replaced; name another folder with --out DIR"
                .formatted(file));
      }
    }
  }

  /** Whether the folder is a run's, by {@code cloudkon.json} or by the journal. */
  private static boolean isOf(Path folder) {
    if (RunFolder.headerIn(folder).isPresent()) {
      return true;
    }
    try {
      return KeptOptions.in(folder).isPresent();
    } catch (CloudKonException e) {
      return false;
    }
  }
}
