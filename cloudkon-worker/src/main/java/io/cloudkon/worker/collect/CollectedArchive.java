package io.cloudkon.worker.collect;

import io.cloudkon.core.batch.DescriptorWait;
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
 * @param files the files that are in it, and those that are not
 */
public record CollectedArchive(@Nullable Path file, CollectedFiles files) {
  /** No files were requested. */
  public static final CollectedArchive NONE = new CollectedArchive(null, CollectedFiles.NONE);

  /**
   * The number of attempts. A file that changed during one is left out of the next; after the last,
   * the packing fails.
   */
  private static final int TRIES = 5;

  /** No files, although some were requested. */
  public static CollectedArchive failed(String why) {
    return new CollectedArchive(null, CollectedFiles.NONE.lost(why));
  }

  /**
   * Packs the files that a task has left. After a failure nothing stays on the disk. Waits for up
   * to 10 s if too many files are open.
   *
   * @param directory the task's directory
   * @param owner the user whose files are packed; null means any user
   * @param scratch the folder for the archive, which no task can enter
   * @throws java.io.InterruptedIOException if the thread was interrupted
   * @throws IOException if it cannot be packed
   */
  public static CollectedArchive pack(
      Path directory, CollectRule rule, @Nullable String owner, Path scratch) throws IOException {
    return DescriptorWait.DEFAULT.call(() -> packOnce(directory, rule, owner, scratch));
  }

  private static CollectedArchive packOnce(
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
    throw new IOException("its files keep changing: " + String.join(", ", restless));
  }

  /** Deletes the archive from the disk. */
  public void release() {
    if (file != null) {
      boolean unused = file.toFile().delete();
    }
  }
}
