package io.cloudkon.client.ship;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.process.TemporaryFiles;
import io.cloudkon.core.ship.Tree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file or folder, packed into a temporary file that only the user can read.
 *
 * @param file the temporary file; it is also removed when this process is ended by a signal, and
 *     one that was made for {@code --ship} at every end but a kill
 * @param content identifies it in tasks
 */
public record PackedTree(Path file, Content content) implements AutoCloseable {

  /**
   * Packs a single file that only some task needs.
   *
   * @throws NoRoomException if there is no room for the temporary file
   * @throws IOException if it cannot be read, changes meanwhile, or is too large
   */
  public static PackedTree ofFile(Path path) throws IOException {
    Path file = temporaryFile();
    boolean whole = false;
    try (DigestingFile out = new DigestingFile(file, Limits.BLOB_BYTES)) {
      Tree.packFile(path, out);
      whole = true;
      return new PackedTree(file, new Content(out.sha256(), out.bytes(), ""));
    } catch (DigestingFile.FullException e) {
      throw new IOException(
          "%s: it is larger than %,d bytes when packed".formatted(path, Limits.BLOB_BYTES), e);
    } finally {
      if (!whole) {
        remove(file);
      }
    }
  }

  private static Path temporaryFile() throws NoRoomException {
    try {
      Path file = Files.createTempFile("cloudkon-file-", ".tar.gz");
      TemporaryFiles.removeAtHalt(file);
      return file;
    } catch (IOException e) {
      throw new NoRoomException(e);
    }
  }

  /** Removes the temporary file. */
  @Override
  public void close() {
    remove(file);
  }

  private static void remove(Path file) {
    boolean unused = file.toFile().delete();
    TemporaryFiles.forget(file);
  }

  static PackedTree of(Path path) throws InterruptedException {
    return of(path, Path.of(System.getProperty("java.io.tmpdir")), Limits.BLOB_BYTES);
  }

  /**
   * Packs a file or folder.
   *
   * @param folder the folder for temporary files
   * @param limit the largest packed size, in bytes
   */
  static PackedTree of(Path path, Path folder, long limit) throws InterruptedException {
    Path file = temporary(path, folder);
    try {
      return pack(path, file, limit);
    } catch (Throwable e) {
      boolean unused = file.toFile().delete();
      throw e;
    }
  }

  private static PackedTree pack(Path path, Path file, long limit) throws InterruptedException {
    refuseWhatHolds(path, file);
    try (DigestingFile out = new DigestingFile(file, limit)) {
      Tree.pack(path, out);
      return new PackedTree(file, new Content(out.sha256(), out.bytes(), Tree.nameOf(path)));
    } catch (InterruptedIOException e) {
      // The thread's interrupt flag is set; from here on the exception stands for it.
      boolean unused = Thread.interrupted();
      throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
    } catch (DigestingFile.FullException e) {
      throw new UsageException(
          "--ship %s: it is larger than %,d bytes when packed; expected less: ship it in parts"
              .formatted(path, limit),
          e);
    } catch (NoRoomException e) {
      throw noRoom(path, e);
    } catch (IOException e) {
      throw new UsageException("--ship " + e.getMessage(), e);
    }
  }

  private static Path temporary(Path path, Path folder) {
    try {
      Path file = Files.createTempFile(folder, "cloudkon-ship-", ".tar.gz");
      TemporaryFiles.removeAtEnd(file);
      return file;
    } catch (IOException e) {
      throw noRoom(path, e);
    }
  }

  /**
   * Refuses a folder that contains the temporary file, because the archive would be packed into
   * itself.
   */
  private static void refuseWhatHolds(Path path, Path file) {
    try {
      if (file.toRealPath().startsWith(path.toRealPath())) {
        throw new UsageException(
            "--ship %s: holds %s, the folder of temporary files; expected a folder without it"
                .formatted(path, file.getParent()));
      }
    } catch (IOException e) {
      throw new UsageException("--ship %s: no such file or folder".formatted(path), e);
    }
  }

  private static CloudKonException noRoom(Path path, IOException e) {
    return new LocalFileException(
        "--ship %s: cannot be packed into a temporary file (%s); expected room in the folder that"
                .formatted(path, e.getMessage())
            + " java.io.tmpdir names",
        e);
  }
}
