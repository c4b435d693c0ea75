package io.cloudkon.client.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** The state of a run according to its folder. */
public enum FolderState {
  /** Every task has its final result. */
  ENDED,
  /** A client on this machine is working on it. */
  ATTENDED,
  /** It is not over, and no client on this machine is working on it. */
  LEFT;

  /** Whether a run has begun in a folder. */
  public static boolean hasJournal(Path folder) {
    return Files.isRegularFile(folder.resolve(RunFolder.JOURNAL));
  }

  /** Whether a client on this machine is working on the run in a folder. */
  static boolean isAttended(Path folder) {
    return AppendFile.isOpenElsewhere(folder.resolve(RunFolder.JOURNAL));
  }

  /**
   * The state of the run in a folder.
   *
   * @throws io.cloudkon.core.error.CloudKonException if there is no journal, or it is damaged
   */
  public static FolderState of(Path folder) {
    Path journal = folder.resolve(RunFolder.JOURNAL);
    if (isAttended(folder)) {
      return ATTENDED;
    }
    AtomicBoolean ended = new AtomicBoolean();
    long unused =
        JournalReader.read(
            journal,
            entry -> {
              if (entry instanceof JournalEntry.Ended) {
                ended.set(true);
              }
            });
    return ended.get() ? ENDED : LEFT;
  }
}
