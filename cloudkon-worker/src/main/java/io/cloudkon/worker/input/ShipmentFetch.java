package io.cloudkon.worker.input;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.ship.ArchiveException;
import io.cloudkon.core.ship.Tree;
import io.cloudkon.core.ship.TreeTooLargeException;
import io.cloudkon.worker.execute.FileTrees;
import io.cloudkon.worker.execute.spawn.PendingStarts;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Brings shipped files to this worker's disk: downloads an archive, checks its SHA-256, and only
 * then unpacks it. The files are read-only. A task gets copies that it may write to, and a task
 * that finds the originals cannot change them by mistake for later tasks. Thread safe.
 */
final class ShipmentFetch {
  private static final Logger LOG = LoggerFactory.getLogger(ShipmentFetch.class);

  private static final int PROBE_BYTES = 4096;

  private final BlobStore blobs;
  private final Fetching fetching;
  private final Scratch scratch;
  private final long mostBytes;
  private final AtomicInteger numbers = new AtomicInteger();

  /**
   * Provides a private folder of this process, which is removed in the end even if the process is
   * killed.
   */
  interface Scratch {
    Path folder() throws IOException;

    /** Whether shipped files are made read-only; they are not if commands see them themselves. */
    default boolean protects() {
      return true;
    }
  }

  /**
   * Fetches nothing yet.
   *
   * @param mostBytes the maximum size of one shipment, as {@link Tree#unpack} counts
   */
  ShipmentFetch(BlobStore blobs, Fetching fetching, Scratch scratch, long mostBytes) {
    this.mostBytes = mostBytes;
    this.blobs = blobs;
    this.fetching = fetching;
    this.scratch = scratch;
  }

  /**
   * Fetches a shipment; blocks. After a failure nothing stays on the disk.
   *
   * @param makeRoom tries to free disk space if there is not enough; returns whether it did
   */
  UnpackedShipment fetch(String run, Content ship, BooleanSupplier wanted, BooleanSupplier makeRoom)
      throws InputException, GivenUpException, InterruptedException {
    try {
      return fetch(run, ship, wanted);
    } catch (InputException e) {
      boolean failedDisk =
          e.suspicion().filter(s -> s.sickness() instanceof Sickness.Scratch).isPresent();
      if (!failedDisk || !makeRoom.getAsBoolean()) {
        throw e;
      }
      LOG.warn("{}; trying again without shipments that nobody uses", e.reason());
      return fetch(run, ship, wanted);
    }
  }

  private UnpackedShipment fetch(String run, Content ship, BooleanSupplier wanted)
      throws InputException, GivenUpException, InterruptedException {
    if (!wanted.getAsBoolean()) {
      throw new GivenUpException(); // its callers left before its turn
    }
    boolean ofOneTask = ship.name().isEmpty();
    String what = ofOneTask ? "its own file" : "the shipped '" + ship.name() + "'";
    try {
      Path folder = scratch.folder().resolve("ship-" + numbers.getAndIncrement());
      Path archive = folder.resolveSibling(folder.getFileName() + ".tar.gz");
      boolean whole = false;
      try {
        download(what, BlobKeys.in(run, ship.sha256()), ship, archive, wanted);
        UnpackedShipment shipment = unpack(archive, ship, Files.createDirectory(folder));
        // single tasks' files may be as many as the tasks
        LOG.atLevel(ofOneTask ? Level.DEBUG : Level.INFO)
            .log(
                "fetched {} of run {}: {} bytes, {} unpacked",
                what,
                run,
                ship.bytes(),
                shipment.bytes());
        whole = true;
        return shipment;
      } finally {
        Files.deleteIfExists(archive);
        if (!whole) {
          FileTrees.remove(folder);
        }
      }
    } catch (InterruptedIOException e) {
      throw new GivenUpException();
    } catch (TreeTooLargeException e) {
      throw InputException.lasting(
          "%s is too large for its worker's --cache-size: %s".formatted(what, e.getMessage()));
    } catch (ArchiveException e) {
      throw InputException.lasting(
          "%s cannot be unpacked on its worker: %s".formatted(what, e.getMessage()));
    } catch (IOException e) {
      throw noRoom(what, e, e);
    }
  }

  private void download(String what, String key, Content ship, Path archive, BooleanSupplier wanted)
      throws IOException, InputException, GivenUpException, InterruptedException {
    boolean there;
    try {
      there =
          fetching.repeat(
              what, () -> blobs.get(key, archive), () -> tryDownload(key, archive), wanted);
    } catch (InputException e) {
      if (e.getCause() instanceof CloudKonException c && c.getCause() instanceof IOException disk) {
        throw noRoom(what, disk, e);
      }
      throw e;
    }
    if (!there) {
      throw StoredWork.absent(what, key);
    }
    if (!Digests.matches(ship, archive)) {
      throw StoredWork.damaged(what, ship);
    }
  }

  private void tryDownload(String key, Path archive) throws IOException {
    try {
      boolean unused = blobs.get(key, archive);
    } finally {
      Files.deleteIfExists(archive);
    }
  }

  private InputException noRoom(String what, IOException disk, Exception e) {
    return InputException.suspected(
        "%s cannot be unpacked on its worker: %s".formatted(what, disk),
        e,
        new InputException.Suspicion(
            new Sickness.Scratch(String.valueOf(disk.getMessage())), this::tryScratch));
  }

  private void tryScratch() throws IOException {
    Path file = Files.createTempFile(scratch.folder(), "probe-", "");
    try {
      Files.write(file, new byte[PROBE_BYTES]);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private UnpackedShipment unpack(Path archive, Content ship, Path folder) throws IOException {
    long bytes;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive))) {
      bytes = Tree.unpack(in, folder, mostBytes);
    }
    PendingStarts.OF_THIS_PROCESS.awaitThoseBegun(); // its programs can be executed at once
    List<Path> roots;
    try (Stream<Path> all = Files.list(folder)) {
      roots = all.toList();
    }
    if (roots.size() != 1) {
      throw new ArchiveException(
          "it holds %d files or folders, expected one".formatted(roots.size()), null);
    }
    if (scratch.protects()) {
      FileTrees.protect(folder);
    }
    return new UnpackedShipment(
        ship.sha256(), folder, roots.getFirst(), bytes, TreeFingerprint.of(folder));
  }
}
