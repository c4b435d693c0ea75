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
 * {@link #pack}, brought to the blob store by {@link #upload}. Used by one thread at a time. To be
 * closed, which removes the temporary files.
 */
public final class Shipment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Shipment.class);

  /** With a back-off of at most 5 s: about a minute. */
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
   * Checks everything that is to be shipped, without reading contents.
   *
   * @param paths files and folders, each of another name; may be empty
   * @throws UsageException if one is missing, cannot be read, holds something that is neither file
   *     nor folder nor a link within it, or has the name of another
   */
  public static Shipment of(List<Path> paths) {
    return of(paths, new BackOff(100, 5_000, new Random()));
  }

  static Shipment of(List<Path> paths, BackOff backOff) {
    if (paths.size() > Limits.SHIPS) {
      throw new UsageException(
          "--ship is given %d times; expected at most %d: put what belongs together into one folder"
              .formatted(paths.size(), Limits.SHIPS));
    }
    Map<String, Path> byName = new LinkedHashMap<>();
    for (Path path : paths) {
      Path earlier = byName.putIfAbsent(checkedName(path), path);
      if (earlier != null) {
        throw new UsageException(
            "--ship %s: has the same name as %s; expected each under a name of its own"
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

  /** As what tasks will find it. */
  public Set<String> names() {
    return names;
  }

  /** Whether there is nothing to ship. */
  public boolean isEmpty() {
    return paths.isEmpty();
  }

  /**
   * Packs everything, unless that was done: from now on the files may change. To be called before
   * anything is written that might lie in one of the folders, such as the run's own.
   *
   * @return by what tasks will name it, in the order of the paths
   * @throws UsageException if something is not as it was when it was checked, changes while it is
   *     read, or is larger than {@link Limits#BLOB_BYTES} when packed
   * @throws CloudKonException if there is no room for the temporary files
   */
  public List<Content> pack() throws InterruptedException {
    while (packed.size() < paths.size()) {
      packed.add(PackedTree.of(paths.get(packed.size())));
    }
    return packed.stream().map(PackedTree::content).toList();
  }

  /**
   * Brings everything to the blob store, packing it first unless that was done. What fails in
   * passing is repeated for about a minute.
   *
   * @param run the run's id: everything lies under its prefix
   * @return what a bundle's header names, in the order of the paths
   * @throws UsageException as {@link #pack} does
   * @throws io.cloudkon.core.port.MissingResourceException if there is no bucket
   * @throws CloudKonException if the blob store refuses or cannot be reached
   */
  public List<Content> upload(BlobStore blobs, String run) throws InterruptedException {
    List<Content> contents = pack();
    for (PackedTree tree : packed) {
      put(blobs, BlobKeys.in(run, tree.content().sha256()), tree.file());
    }
    // As large as what is shipped: not for as long as the run goes on.
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
        LOG.warn("temporary file {} stays behind: {}", tree.file(), e.getMessage());
      }
    }
    packed.clear();
  }
}
