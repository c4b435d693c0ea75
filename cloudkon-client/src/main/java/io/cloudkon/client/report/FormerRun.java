package io.cloudkon.client.report;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The run whose files {@code --force} replaces. Stateless. */
final class FormerRun {
  /** The files of a run, beside the folder of those that its tasks bring back. */
  private static final List<String> OURS =
      List.of(
          RunFolder.RESULTS,
          RunFolder.REPORT,
          RunFolder.REPORT + ".tmp",
          RunFolder.JOURNAL,
          KeptOptions.FILE,
          RunFolder.RERUN);

  private FormerRun() {}

  /**
   * Whether there is nothing in a folder, but what the Finder of macOS keeps there; false if it is
   * none, or cannot be read.
   */
  static boolean isEmpty(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.allMatch(file -> file.endsWith(".DS_Store"));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Checks that a new run may use a folder and replace a former run's files in it: that it is a
   * run's or empty, and that no client works on that run. The user's own files in a run's folder
   * stay.
   *
   * @param force whether the files of a former run may be replaced
   * @throws UsageException if it may not
   */
  static void check(Path folder, boolean force) {
    if (!Files.isDirectory(folder)) {
      throw RefusedFolder.noFolder(folder);
    }
    boolean isOf = isOf(folder);
    if (!force) {
      throw isOf ? RefusedFolder.exists(folder) : RefusedFolder.ofNoRun(folder);
    }
    checkUnattended(folder);
    if (isOf || isEmpty(folder)) {
      return;
    }
    OURS.stream()
        .map(folder::resolve)
        .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
        .findFirst()
        .ifPresent(file -> {
          throw RefusedFolder.foreign(file);
        });
    throw RefusedFolder.ofNoRun(folder);
  }

  /**
   * Removes a run's files from a folder, and nothing else.
   *
   * @param workload whether its tasks are removed, too, because others take their place
   * @throws UsageException if a client of this machine works on it
   */
  static void remove(Path folder, boolean workload) throws IOException {
    checkUnattended(folder);
    Optional<String> tasks = KeptOptions.workloadIn(folder);
    if (workload && tasks.isPresent()) {
      Files.deleteIfExists(folder.resolve(tasks.get()));
    }
    for (String file : OURS) {
      Files.deleteIfExists(folder.resolve(file));
    }
    FilesFolder.removeFormer(folder);
  }

  /**
   * Removes what was written for a run that cannot begin, as far as that can be removed.
   *
   * @param all whether the folder is removed, too
   */
  static void discard(Path folder, boolean all) {
    if (all) {
      FilesFolder.discard(folder);
      return;
    }
    Stream.concat(OURS.stream(), KeptWorkload.NAMES.stream())
        .forEach(file -> {
          boolean unused = folder.resolve(file).toFile().delete();
        });
  }

  /**
   * Checks that no client of this machine works on the run in a folder: it would go on writing into
   * files that were removed, and delete the messages of those results.
   *
   * @throws UsageException if one does
   */
  private static void checkUnattended(Path folder) {
    if (FolderState.isAttended(folder)) {
      throw RefusedFolder.attended(folder);
    }
  }

  /** Whether the folder is a run's, by {@code cloudkon.json} or by the journal. */
  private static boolean isOf(Path folder) {
    return RunFolder.headerIn(folder).isPresent() || KeptOptions.ifReadable(folder).isPresent();
  }
}
