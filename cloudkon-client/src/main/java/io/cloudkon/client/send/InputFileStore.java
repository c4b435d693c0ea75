package io.cloudkon.client.send;

import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.client.ship.NoRoomException;
import io.cloudkon.client.ship.PackedTree;
import io.cloudkon.core.error.OutOfDescriptors;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

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

  private static final Logger LOG = LoggerFactory.getLogger(InputFileStore.class);

  private final BlobStore blobs;
  private final String run;
  private final Path directory;
  private final ServicePatience patience;
  private final Set<String> stored =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > REMEMBERED;
                }
              }));

  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Creates a store that has stored nothing yet.
   *
   * @param directory the folder to which the files' paths are relative
   * @param patience learns that the blob store works
   */
  InputFileStore(BlobStore blobs, String run, Path directory, ServicePatience patience) {
    this.blobs = blobs;
    this.run = run;
    this.directory = directory;
    this.patience = patience;
  }

  /**
   * Stores the task's files in a single attempt, and returns the task with references to them. A
   * file that can no longer be read stays a file that is not stored, for which the task fails.
   *
   * @throws UnsentFilesException if the client is the cause, and not the file
   * @throws io.cloudkon.core.port.TransientServiceException if the blob store failed transiently
   */
  Task store(Task task) {
    List<InputFile> inputs = task.files().inputs();
    if (inputs.stream().allMatch(InputFile::isStored)) {
      return task;
    }
    List<InputFile> all = new ArrayList<>(inputs.size());
    for (InputFile file : inputs) {
      all.add(file.isStored() ? file : stored(task, file));
    }
    return task.with(task.files().with(all));
  }

  private InputFile stored(Task task, InputFile file) {
    try (PackedTree packed = PackedTree.ofFile(directory.resolve(FileNames.path(file.path())))) {
      Content content = packed.content();
      if (!stored.contains(content.sha256())) {
        blobs.put(BlobKeys.in(run, content.sha256()), packed.file());
        patience.worked();
        stored.add(content.sha256());
      }
      return new InputFile(file.path(), content);
    } catch (IOException e) {
      if (e instanceof NoRoomException
          || OutOfDescriptors.isCause(e)
          || Thread.currentThread().isInterrupted()) {
        throw new UnsentFilesException(
            "the files of task '%s' cannot be packed into a temporary file: %s"
                .formatted(task.id(), e.getMessage()),
            e);
      }
      return unreadable(task, file, e);
    }
  }

  private InputFile unreadable(Task task, InputFile file, IOException why) {
    // a folder that is gone may concern every task of a run; each result says it, too
    Level level = told.getAndSet(true) ? Level.DEBUG : Level.WARN;
    LOG.atLevel(level)
        .log(
            "task '{}' fails, as would any other like it, since its file cannot be sent: {}",
            task.id(),
            why.getMessage());
    return InputFile.notStored(file.path());
  }
}
