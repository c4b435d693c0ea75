package io.cloudkon.client.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code files} in a run's folder: what its tasks brought back, a folder for each. One appears
 * whole, and is on disk, or not at all. What a crash left of others is removed. Thread safe.
 */
public final class FilesFolder {
  /** Its name. */
  static final String NAME = "files";

  /** Tells it from a folder of the user's. */
  private static final String MARK = ".cloudkon";

  private static final String NEW = ".new-";

  /** The longest name that every file system takes. */
  private static final int NAME_BYTES = 255;

  private final Path path;
  private final AtomicLong numbers = new AtomicLong();
  private boolean made;

  /** Of a run's folder; makes nothing yet. */
  FilesFolder(Path run) {
    this.path = run.resolve(NAME);
  }

  /**
   * Where a task's files are, from the run's folder. Letters, digits and {@code ._-+,=@} stand for
   * themselves, each other byte of the id's UTF-8 is {@code %} and two digits, as in addresses; so
   * is a dot or a hyphen that comes first. A name that would be too long goes on in a folder whose
   * name ends with {@code %}.
   */
  public static String of(String task) {
    StringBuilder name = new StringBuilder(NAME).append('/');
    int length = 0;
    for (byte one : task.getBytes(UTF_8)) {
      int c = one & 0xFF;
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || (c < 0x80 && "_+,=@".indexOf(c) >= 0)
              || (length > 0 && (c == '.' || c == '-'));
      if (length + 4 > NAME_BYTES) {
        name.append("%/");
        length = 0;
      }
      if (plain && !(length == 0 && (c == '.' || c == '-'))) {
        name.append((char) c);
        length++;
      } else {
        name.append('%').append("%02X".formatted(c));
        length += 3;
      }
    }
    return name.toString();
  }

  /**
   * An empty folder in it that nobody looks into.
   *
   * @throws UnwritableFolderException if it cannot be made
   */
  public Path newFolder() {
    try {
      make();
      return Files.createDirectory(path.resolve(NEW + numbers.incrementAndGet()));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private synchronized void make() throws IOException {
    if (made) {
      return;
    }
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(path);
      Files.createFile(path.resolve(MARK));
      AppendFile.syncFolder(path);
    } else if (!Files.exists(path.resolve(MARK))) {
      throw new FileAlreadyExistsException(
          path.toString(), null, "it is not of a run of CloudKon; move it away");
    }
    try (Stream<Path> all = Files.list(path)) {
      for (Path left : all.filter(FilesFolder::isNew).toList()) {
        remove(left);
      }
    }
    made = true;
  }

  private static boolean isNew(Path path) {
    return path.getFileName().toString().startsWith(NEW);
  }

  /**
   * Makes a folder that is filled the one of a task, in place of one that a crash may have left.
   *
   * @throws UnwritableFolderException if that cannot be done
   */
  public void keep(Path filled, String task) {
    Path place = path.resolveSibling(of(task));
    try {
      Path parent = place.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      // its result stands in no file yet
      remove(place);
      Files.move(filled, place, StandardCopyOption.ATOMIC_MOVE);
      AppendFile.syncFolder(place);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Puts all that is in a folder on disk. */
  public static void sync(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                channel.force(true);
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException why)
              throws IOException {
            AppendFile.syncFolder(inner.resolve(MARK));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Removes a folder with all that is in it, and no link's target; nothing happens where there is
   * none.
   *
   * @throws IOException if something of it cannot be removed
   */
  public static void remove(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException why)
              throws IOException {
            Files.delete(inner);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Removes that of a former run; one that is the user's stays. */
  static void removeFormer(Path run) throws IOException {
    Path path = run.resolve(NAME);
    if (Files.exists(path.resolve(MARK)) && !Files.isSymbolicLink(path)) {
      remove(path);
    }
  }

  /** What to say where the disk fails. */
  public UnwritableFolderException unwritable(IOException e) {
    return new UnwritableFolderException(
        "cannot keep files of tasks in %s: %s; see that its disk has room and may be written to"
            .formatted(path, e.getMessage()),
        e);
  }
}
