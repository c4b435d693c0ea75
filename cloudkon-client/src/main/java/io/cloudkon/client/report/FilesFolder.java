package io.cloudkon.client.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder {@code files} in a run's folder, with a folder for each task that brought back files.
 * A task's folder appears complete and on disk, or not at all; leftovers of a crash are removed.
 * Thread safe.
 */
public final class FilesFolder {
  private static final Logger LOG = LoggerFactory.getLogger(FilesFolder.class);

  /** Its name. */
  static final String NAME = "files";

  /** The file that distinguishes it from a folder of the user's. */
  private static final String MARK = ".cloudkon";

  private static final String NEW = ".new-";

  /** The length of the longest name that every file system accepts. */
  private static final int NAME_BYTES = 255;

  private final Path path;
  private final AtomicLong numbers = new AtomicLong();
  private boolean made;
  private volatile boolean foldsCase;

  /** The files folder of a run; creates nothing yet. */
  FilesFolder(Path run) {
    this.path = run.resolve(NAME);
  }

  /**
   * The path of a task's files, relative to the run's folder. Letters, digits and {@code ._-+,=@}
   * stay as they are. Each other byte of the id's UTF-8 becomes {@code %} and two hex digits, as in
   * URLs; so does a leading dot or hyphen. A name that would be too long continues inside a folder
   * whose name ends with {@code %}.
   */
  public static String of(String task) {
    return of(task, false);
  }

  /**
   * The path of a task's files, relative to the run's folder: {@link #of(String)}, except that
   * capital letters are written in digits, too, where the file system takes {@code a} and {@code A}
   * for the same name. Known once a {@linkplain #newFolder folder} was created.
   */
  String folderOf(String task) {
    return of(task, foldsCase);
  }

  private static String of(String task, boolean foldsCase) {
    StringBuilder name = new StringBuilder(NAME).append('/');
    int length = 0;
    for (byte one : task.getBytes(UTF_8)) {
      int c = one & 0xFF;
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z' && !foldsCase)
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
   * Creates an empty temporary folder in it.
   *
   * @throws UnwritableFolderException if it cannot be created
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
    }
    if (!Files.exists(path.resolve(MARK))) {
      if (!isEmpty(path)) {
        throw new FileAlreadyExistsException(
            path.toString(), null, "it does not belong to a run of CloudKon; move it away");
      }
      // The folder is new, or a crash came before its mark.
      Files.createFile(path.resolve(MARK));
      AppendFile.syncFolder(path);
    }
    try (Stream<Path> all = Files.list(path)) {
      for (Path left : all.filter(FilesFolder::isNew).toList()) {
        remove(left);
      }
    }
    foldsCase = Files.exists(path.resolve(MARK.toUpperCase(Locale.ROOT)));
    made = true;
  }

  /** Whether a folder holds nothing but leftovers of a crash; false if it cannot be read. */
  private static boolean isEmpty(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.allMatch(FilesFolder::isNew);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isNew(Path path) {
    return path.getFileName().toString().startsWith(NEW);
  }

  /**
   * Moves a filled folder to a task's path, replacing one that a crash may have left.
   *
   * @throws UnwritableFolderException if that fails
   */
  public void keep(Path filled, String task) {
    Path place = path.resolveSibling(folderOf(task));
    try {
      Path parent = place.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      // Only a crash can have left it: the task's result is in no file yet.
      remove(place);
      Files.move(filled, place, StandardCopyOption.ATOMIC_MOVE);
      AppendFile.syncFolder(place);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Syncs a folder and everything in it to disk, also for an interrupted thread. */
  public static void sync(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              AppendFile.syncFile(file);
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
   * Removes a folder and its contents without following links; does nothing if it does not exist.
   *
   * @throws IOException if a part of it cannot be removed
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

  /** Removes a folder as {@link #remove} does, if that is possible. */
  public static void discard(Path folder) {
    try {
      remove(folder);
    } catch (IOException e) {
      LOG.debug("{} stays behind: {}", folder, e.toString());
    }
  }

  /** The place of a run's files folder, if something else is there; empty if it is free. */
  static Optional<Path> foreignIn(Path run) {
    Path path = run.resolve(NAME);
    boolean free =
        !Files.exists(path, LinkOption.NOFOLLOW_LINKS)
            || (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && (Files.exists(path.resolve(MARK)) || isEmpty(path)));
    return free ? Optional.empty() : Optional.of(path);
  }

  /** Removes a former run's files folder, but not a folder of the user's. */
  static void removeFormer(Path run) throws IOException {
    Path path = run.resolve(NAME);
    if (Files.exists(path.resolve(MARK)) && !Files.isSymbolicLink(path)) {
      remove(path);
    }
  }

  /** The exception to throw if the disk fails. */
  public UnwritableFolderException unwritable(IOException e) {
    return new UnwritableFolderException(
        "cannot keep files of tasks in %s: %s; check that its disk has space and is writable"
            .formatted(path, e.getMessage()),
        e);
  }
}
