package io.cloudkon.core.ship;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads an untrusted archive. Nothing is ever written through a link, so that every entry is where
 * its name says, and the targets of links cannot lead through other links.
 */
final class Unpacking {
  private final Path folder;

  /** Folders that are not links. */
  private final Set<Path> folders = new HashSet<>();

  private final byte[] block = new byte[Packing.BLOCK];
  private final long limit;
  private long bytes;

  /**
   * Unpacks into an existing folder, at most {@code limit} bytes as {@link Tree#unpack} counts
   * them.
   */
  Unpacking(Path folder, long limit) throws IOException {
    this.limit = limit;
    this.folder = folder.toRealPath();
    folders.add(this.folder);
  }

  /** Returns the number of bytes as {@link Tree#unpack} counts them. */
  long unpack(InputStream in) throws IOException {
    // Neither stream is closed, because that would close the caller's stream.
    HeaderLimit gzip =
        new HeaderLimit(fromArchive(() -> new GZIPInputStream(new Source(in), Packing.BLOCK)));
    TarArchiveInputStream tar = new TarArchiveInputStream(gzip, StandardCharsets.UTF_8.name());
    TarArchiveEntry entry = next(tar, gzip);
    while (entry != null) {
      try {
        unpack(entry, tar);
      } catch (FileAlreadyExistsException e) {
        throw refused(entry, "it exists already", e);
      } catch (InvalidPathException e) {
        throw refused(entry, e.getReason(), e);
      }
      entry = next(tar, gzip);
    }
    // The checksum follows the last block.
    while (fromArchive(() -> gzip.read(block)) >= 0) {
      checkInterrupt();
    }
    return bytes;
  }

  private static @Nullable TarArchiveEntry next(TarArchiveInputStream tar, HeaderLimit gzip)
      throws IOException {
    gzip.beginHeaders();
    TarArchiveEntry entry = fromArchive(tar::getNextEntry);
    gzip.endHeaders();
    return entry;
  }

  private void unpack(TarArchiveEntry entry, TarArchiveInputStream tar) throws IOException {
    checkInterrupt();
    if (entry.isSparse()) {
      throw refused(entry, "it is a sparse file; pack it whole", null);
    }
    List<String> names = names(entry);
    Path parent = folder;
    for (String name : names.subList(0, names.size() - 1)) {
      parent = realFolder(entry, parent.resolve(FileNames.path(name)));
    }
    Path path = parent.resolve(FileNames.path(names.getLast()));
    take(entry, entry.getLinkFlag() == TarConstants.LF_DIR ? 0 : entry.getSize());
    switch (entry.getLinkFlag()) {
      case TarConstants.LF_DIR -> realFolder(entry, path);
      case TarConstants.LF_SYMLINK -> {
        checkTarget(entry, names.size() - 1);
        Path target = FileNames.path(entry.getLinkName());
        Path _ = created(entry, () -> Files.createSymbolicLink(path, target));
      }
      case TarConstants.LF_NORMAL, TarConstants.LF_OLDNORM -> {
        write(entry, tar, path);
        OwnerMode.set(path, entry.getMode());
      }
      default -> throw refused(entry, "it is neither a file nor a folder nor a link", null);
    }
  }

  private List<String> names(TarArchiveEntry entry) throws IOException {
    String name = entry.getName();
    String trimmed = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    List<String> names = List.of(trimmed.split("/", -1));
    for (String one : names) {
      if (one.isEmpty() || one.equals(".") || one.equals("..") || one.indexOf('\0') >= 0) {
        throw refused(entry, "it would not lie in its folder", null);
      }
    }
    return names;
  }

  /** Creates the folder if it does not exist. */
  private Path realFolder(TarArchiveEntry entry, Path path) throws IOException {
    if (!folders.contains(path)) {
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        Path _ = created(entry, () -> Files.createDirectory(path));
        OwnerMode.set(path, OwnerMode.ALL);
      } else if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        throw refused(entry, path.getFileName() + " is not a folder", null);
      }
      folders.add(path);
    }
    return path;
  }

  /**
   * Allows {@code ..} only at the beginning of a target and only as often as there are folders
   * above the link, because after a name it would start from wherever that name leads.
   */
  private static void checkTarget(TarArchiveEntry entry, int depth) throws IOException {
    String target = entry.getLinkName();
    int up = 0;
    boolean named = false;
    for (String name : target.split("/", -1)) {
      boolean above = name.equals("..");
      boolean here = name.equals(".");
      if (name.isEmpty()
          || name.indexOf('\0') >= 0
          || (named && above)
          || (above && ++up > depth)) {
        throw refused(entry, "it is a link that may leave the folder: " + target, null);
      }
      named |= !above && !here;
    }
  }

  private void take(TarArchiveEntry entry, long size) throws IOException {
    bytes += Math.max(1, Math.ceilDiv(size, Tree.BLOCK_BYTES)) * Tree.BLOCK_BYTES;
    if (bytes > limit) {
      throw new TreeTooLargeException(
          "the archive's entry %s cannot be unpacked: more than %d bytes come out of the archive, in blocks of %d"
              .formatted(entry.getName(), limit, Tree.BLOCK_BYTES));
    }
  }

  private void write(TarArchiveEntry entry, TarArchiveInputStream tar, Path path)
      throws IOException {
    try (OutputStream out =
        created(
            entry,
            () ->
                Files.newOutputStream(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      long left = entry.getSize();
      int read = fromArchive(() -> tar.read(block));
      while (read >= 0) {
        left -= read;
        if (left < 0) {
          throw refused(entry, "it is longer than its header says", null);
        }
        out.write(block, 0, read);
        checkInterrupt();
        read = fromArchive(() -> tar.read(block));
      }
    }
  }

  private interface Creation<T> {
    T create() throws IOException;
  }

  /**
   * Creates a file, folder or link. If it cannot be created although another name can be, before
   * and after that, its name is at fault: too long, or with letters that this file system lacks.
   */
  private <T> T created(TarArchiveEntry entry, Creation<T> creation) throws IOException {
    try {
      return creation.create();
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException e) {
      tryPlainName();
      try {
        return creation.create();
      } catch (FileSystemException again) {
        tryPlainName();
        throw refused(
            entry, "this file system refuses its name (%s)".formatted(again.getReason()), again);
      }
    }
  }

  private void tryPlainName() throws IOException {
    Path file = Files.createTempFile(folder, "probe-", "");
    try {
      Files.write(file, block);
    } finally {
      Files.delete(file);
    }
  }

  private static void checkInterrupt() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while unpacking an archive");
    }
  }

  private static ArchiveException refused(
      TarArchiveEntry entry, String why, @Nullable Throwable cause) {
    return new ArchiveException(
        "the archive's entry %s cannot be unpacked: %s".formatted(entry.getName(), why), cause);
  }

  /** The archive's bytes cannot be read, whatever they are. */
  private static final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1;

    UnreadableException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Tells faults of the place where the archive lies from faults of the archive. */
  private static final class Source extends FilterInputStream {
    Source(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        throw new UnreadableException(e);
      }
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      try {
        return in.read(bytes, from, length);
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        throw new UnreadableException(e);
      }
    }
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  /** Distinguishes a damaged archive from a full disk. */
  private static <T extends @Nullable Object> T fromArchive(Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (InterruptedIOException | UnreadableException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // RuntimeException: the library's answer to some malformed headers.
      throw new ArchiveException("the archive is damaged or cut off: " + e.getMessage(), e);
    }
  }
}
