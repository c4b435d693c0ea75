package io.cloudkon.client.send;

import io.cloudkon.client.ship.PackedTree;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.ship.FileNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts files that single tasks need into the blob store. A content is stored only once as long as
 * it is remembered. A file is read each time its task is sent. Thread safe.
 */
final class InputFileStore {
  /**
   * The number of contents that are remembered; a forgotten one is stored again under the same
   * name.
   */
  private static final int REMEMBERED = 10_000;

  private final BlobStore blobs;
  private final String run;
  private final Path directory;
  private final Set<String> stored =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > REMEMBERED;
                }
              }));

  /**
   * Creates a store that has stored nothing yet.
   *
   * @param directory the folder to which the files' paths are relative
   */
  InputFileStore(BlobStore blobs, String run, Path directory) {
    this.blobs = blobs;
    this.run = run;
    this.directory = directory;
  }

  /**
   * Stores the task's files in a single attempt, and returns the task with references to them.
   *
   * @throws UnreadableFileException if a file can no longer be read
   * @throws io.cloudkon.core.port.TransientServiceException if the blob store failed transiently
   */
  Task store(Task task) {
    List<InputFile> inputs = task.files().inputs();
    if (inputs.stream().allMatch(InputFile::isStored)) {
      return task;
    }
    List<InputFile> all = new ArrayList<>(inputs.size());
    for (InputFile file : inputs) {
      all.add(file.isStored() ? file : new InputFile(file.path(), store(task, file.path())));
    }
    return task.with(task.files().with(all));
  }

  private Content store(Task task, String path) {
    try (PackedTree packed = PackedTree.ofFile(directory.resolve(FileNames.path(path)))) {
      Content content = packed.content();
      if (!stored.contains(content.sha256())) {
        blobs.put(BlobKeys.in(run, content.sha256()), packed.file());
        stored.add(content.sha256());
      }
      return content;
    } catch (IOException e) {
      throw new UnreadableFileException(
          "task '%s' needs a file that cannot be sent: %s; restore it, and resume the run with --resume"
              .formatted(task.id(), e.getMessage()),
          e);
    }
  }
}
