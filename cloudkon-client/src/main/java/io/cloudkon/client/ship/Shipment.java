package io.cloudkon.client.ship;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.ship.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files and folders of {@code --ship}: checked by {@link #of}, packed into temporary files by
 * {@link #pack}, uploaded to the blob store by {@link #upload}. Used by one thread at a time.
 * {@link #close} removes the temporary files.
 */
public final class Shipment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Shipment.class);

  /** About a minute, with a back-off of at most 5 s. */
  private static final int TRIES = 15;

  private final List<Path> paths;
  private final Set<String> names;
  private final BackOff backOff;
  private final CountDownLatch never = new CountDownLatch(1);
  private final List<PackedTree> packed = new ArrayList<>();

  private Shipment(List<Path> paths, Set<String> names, BackOff backOff) {
    this.paths = paths;
    this.names = names;
    this.backOff = backOff;
  }

  /**
   * Checks everything that is to be shipped, without reading the contents.
   *
   * @param paths files and folders with distinct names; may be empty
   * @throws UsageException if one is missing, cannot be read, contains something other than files,
   *     folders and links within it, or has the same name as another
   */
  public static Shipment of(List<Path> paths) {
    return of(paths, new BackOff(100, 5_000, new Random()));
  }

  static Shipment of(List<Path> paths, BackOff backOff) {
    if (paths.size() > Limits.SHIPS) {
      throw new UsageException(
          "--ship is given %d times; expected at most %d: put related files into one folder"
              .formatted(paths.size(), Limits.SHIPS));
    }
    Map<String, Path> byName = new LinkedHashMap<>();
    for (Path path : paths) {
      Path earlier = byName.putIfAbsent(checkedName(path), path);
      if (earlier != null) {
        throw new UsageException(
            "--ship %s: has the same name as %s; expected a different name for each"
                .formatted(path, earlier));
      }
    }
    return new Shipment(List.copyOf(paths), Set.copyOf(byName.keySet()), backOff);
  }

  private static String checkedName(Path path) {
    if (path.toString().isEmpty()) {
      throw new UsageException("--ship is empty; expected a file or a folder");
    }
    try {
      Tree.check(path);
      return Tree.nameOf(path);
    } catch (IOException e) {
      throw new UsageException("--ship " + e.getMessage(), e);
    }
  }

  /** The names under which tasks find the files and folders. */
  public Set<String> names() {
    return names;
  }

  /** The files and folders, as the user named them. */
  public List<Path> paths() {
    return paths;
  }

  /** Whether there is nothing to ship. */
  public boolean isEmpty() {
    return paths.isEmpty();
  }

  /**
   * Packs everything that is not packed yet; afterwards the files may change. Call this before
   * writing anything that might lie in one of the folders, such as the run's own folder.
   *
   * @return the contents as tasks refer to them, in the order of the paths
   * @throws UsageException if something has changed since the check or changes while it is read, or
   *     is larger than {@link Limits#BLOB_BYTES} when packed
   * @throws CloudKonException if there is no room for the temporary files
   */
  public List<Content> pack() throws InterruptedException {
    while (packed.size() < paths.size()) {
      packed.add(PackedTree.of(paths.get(packed.size())));
    }
    return packed.stream().map(PackedTree::content).toList();
  }

  /**
   * Uploads everything to the blob store, and packs it first if that was not done. Transient
   * failures are retried for about a minute.
   *
   * @param run the run's id, whose prefix the keys have
   * @return the contents that a bundle's header lists, in the order of the paths
   * @throws UsageException as {@link #pack} does
   * @throws io.cloudkon.core.port.MissingResourceException if there is no bucket
   * @throws CloudKonException if the blob store refuses or cannot be reached
   */
  public List<Content> upload(BlobStore blobs, String run) throws InterruptedException {
    List<Content> contents = pack();
    for (PackedTree tree : packed) {
      put(blobs, BlobKeys.in(run, tree.content().sha256()), tree.file());
    }
    // The temporary files are as large as the shipment, so they are not kept for the whole run.
    close();
    return contents;
  }

  private void put(BlobStore blobs, String key, Path file) throws InterruptedException {
    for (int failures = 1; ; failures++) {
      try {
        blobs.put(key, file);
        return;
      } catch (CloudKonException e) {
        if (Thread.interrupted()) {
          throw (InterruptedException) new InterruptedException().initCause(e);
        }
        if (!(e instanceof TransientServiceException) || failures == TRIES) {
          throw e;
        }
        LOG.debug("upload failed, trying again: {}", e.getMessage());
      }
      boolean unused = never.await(backOff.millis(failures), TimeUnit.MILLISECONDS);
    }
  }

  /** The temporary files, for tests. */
  List<Path> files() {
    return packed.stream().map(PackedTree::file).toList();
  }

  /** Removes the temporary files. */
  @Override
  public void close() {
    for (PackedTree tree : packed) {
      try {
        Files.deleteIfExists(tree.file());
      } catch (IOException e) {
        LOG.warn("temporary file {} could not be removed: {}", tree.file(), e.getMessage());
      }
    }
    packed.clear();
  }
}
