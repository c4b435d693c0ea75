package io.cloudkon.worker.collect;

import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.ship.FileArchive;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that a task has left in its directory for its client, packed on the worker's disk.
 * Immutable.
 *
 * @param file null if there is no archive
 * @param files what is in it, and what is not
 */
public record CollectedArchive(@Nullable Path file, CollectedFiles files) {
  /** Nothing was asked for. */
  public static final CollectedArchive NONE = new CollectedArchive(null, CollectedFiles.NONE);

  /** A file that changes each time is left out; one of so many that do so ends it all. */
  private static final int TRIES = 5;

  /** None, though they were asked for. */
  public static CollectedArchive failed(String why) {
    return new CollectedArchive(null, CollectedFiles.NONE.lost(why));
  }

  /**
   * Packs what a task has left. Of a failure nothing stays on the disk.
   *
   * @param directory the task's
   * @param owner whose files are taken; null means everybody's
   * @param scratch where the archive is made; no task can enter it
   * @throws java.io.InterruptedIOException if the thread was interrupted
   * @throws IOException if it cannot be packed
   */
  public static CollectedArchive pack(
      Path directory, CollectRule rule, @Nullable String owner, Path scratch) throws IOException {
    Path file = Files.createTempFile(scratch, "collected-", ".tar.gz");
    boolean kept = false;
    try {
      CollectedFiles files = pack(directory, rule, owner, new HashSet<>(), file);
      kept = files.count() > 0;
      return new CollectedArchive(kept ? file : null, files);
    } finally {
      if (!kept) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static CollectedFiles pack(
      Path directory, CollectRule rule, @Nullable String owner, Set<String> restless, Path file)
      throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (var out = new BufferedOutputStream(new FileOutputStream(file.toFile()));
          FileArchive archive = new FileArchive(out)) {
        FileCollection collection = new FileCollection(rule, owner, restless, archive);
        collection.pack(directory);
        archive.finish();
        return new CollectedFiles(
            "",
            collection.count(),
            collection.bytes(),
            collection.leftOut().first(),
            collection.leftOut().count(),
            List.of(),
            "");
      } catch (FileCollection.ChangedException e) {
        restless.add(e.name());
      }
    }
    throw new IOException("its files go on changing: " + String.join(", ", restless));
  }

  /** Frees the disk. */
  public void release() {
    if (file != null) {
      boolean unused = file.toFile().delete();
    }
  }
}
