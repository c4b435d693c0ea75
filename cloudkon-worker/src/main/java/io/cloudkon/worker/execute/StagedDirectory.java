package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.GuardedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory with copies of shipped files, in which one command after another starts. Each command
 * finds it as if it were fresh: before it starts, changed files are copied again and added files
 * are removed. A {@link FileStatus} shows whether a file was changed, so no content is read, except
 * that of files that were copied a moment ago. A check costs some 0.5 us a file, or 2.5 us without
 * {@link FolderLook}; a copy costs 100 us. Used by one thread at a time.
 */
final class StagedDirectory {
  /** From this number of files on, a copy takes longer than a look at every process. */
  private static final int WORTH_A_SEARCH = 1000;

  private final Path folder;
  private final List<Path> ships;
  private final List<Item> items = new ArrayList<>();
  private @Nullable GuardedProcess last;

  /** One file, folder or link in it. */
  private static final class Item {
    final Path path;

    /** The original of this copy; null for the stage's own folder. */
    final @Nullable Path source;

    /** The parent folder; null for the stage's own folder. */
    final @Nullable Item parent;

    /** The names in a folder. */
    Set<Path> names = Set.of();

    /** The files and links of a folder that are checked together; null if they are not. */
    @Nullable Members members;

    FileStatus status;
    boolean settled;

    /** Whether it was checked with the others and is unchanged. */
    boolean unchanged;

    Item(Path path, @Nullable Path source, @Nullable Item parent) throws IOException {
      this.path = path;
      this.source = source;
      this.parent = parent;
      this.status = capture();
    }

    /** Records its current status. */
    FileStatus capture() throws IOException {
      FileStatus now = FileStatus.of(path);
      if (now == null) {
        throw new IOException(path + " was removed by another process");
      }
      status = now;
      settled = now.isSettled(System.currentTimeMillis());
      return now;
    }
  }

  /** Some files of a folder, with their names. */
  private record Members(List<Item> items, FolderNames names) {}

  private StagedDirectory(Path folder, List<Path> ships) {
    this.folder = folder;
    this.ships = ships;
  }

  /**
   * Copies the shipped files.
   *
   * @param folder an empty folder; files that were copied before a failure stay there
   */
  static StagedDirectory of(Path folder, List<Path> ships, Interruption interruption)
      throws IOException, TaskInterruptedException {
    StagedDirectory stage = new StagedDirectory(folder, List.copyOf(ships));
    Map<Path, Path> sources = new HashMap<>();
    for (Path ship : ships) {
      Path target = folder.resolve(ship.getFileName());
      FileTrees.copy(ship, target, interruption);
      sources.put(target, ship);
    }
    stage.index(sources);
    return stage;
  }

  private void index(Map<Path, Path> sources) throws IOException {
    Map<Path, Item> folders = new HashMap<>();
    Map<Item, List<Item>> files = new LinkedHashMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Item parent = folders.get(path.getParent());
        Path source = sources.get(path);
        if (source == null && parent != null && parent.source != null) {
          source = parent.source.resolve(path.getFileName());
        }
        Item item = new Item(path, source, parent);
        items.add(item);
        if (parent != null) {
          parent.names.add(path.getFileName());
          if (!item.status.isFolder() && FolderNames.isPlain(path)) {
            files.computeIfAbsent(parent, p -> new ArrayList<>()).add(item);
          }
        }
        if (item.status.isFolder()) {
          item.names = new HashSet<>();
          folders.put(path, item);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    files.forEach((parent, all) -> {
      FolderNames names = FolderNames.of(parent.path, all.stream().map(each -> each.path).toList());
      parent.members = names == null ? null : new Members(all, names);
    });
  }

  Path folder() {
    return folder;
  }

  /** The number of files, folders and links in it. */
  int size() {
    return items.size();
  }

  /** Forgets its content, which need not be known, as it will not be used again. */
  void forget() {
    items.clear();
  }

  boolean holds(List<Path> these) {
    return ships.equals(these);
  }

  /** Whether the originals of its files still exist. */
  boolean hasSources() {
    return ships.stream().allMatch(Files::exists);
  }

  /** Records the last command that started here, which has ended. */
  void endedAs(GuardedProcess process) {
    last = process;
  }

  /** Whether no process of the last command is left that could still write here. */
  boolean isQuiet() {
    return last == null || last.leftNobody(folder, items.size() >= WORTH_A_SEARCH);
  }

  /**
   * Removes files that were added to its folders, so that they take no room until the next command.
   *
   * @throws IOException if that cannot be done by name, for example because a link has replaced a
   *     folder and leads elsewhere
   */
  void clear() throws IOException {
    for (Item item : items) {
      if (item.status.isFolder()) {
        FileStatus now = FileStatus.of(item.path);
        if (now == null || !now.isFolder()) {
          throw new IOException(item.path + " is no longer a folder");
        }
        if (!now.equals(item.status)) {
          clear(item, now);
        }
      }
    }
  }

  private static void clear(Item item, FileStatus now) throws IOException {
    FileStatus then = item.status;
    LeftMounts.requireNone(item.path); // or their files would be removed
    boolean sameNames = !now.equals(then) && now.modified() == then.modified();
    if (sameNames || now.owner() != then.owner() || now.group() != then.group()) {
      throw new IOException(item.path + " has other rights or attributes");
    }
    if (now.mode() != item.status.mode()) {
      Files.setPosixFilePermissions(item.path, permissions(item.status.mode()));
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(item.path)) {
      for (Path path : all) {
        if (!item.names.contains(path.getFileName())) {
          FileTrees.remove(path);
          if (Files.exists(path)) {
            throw new AccessDeniedException(path.toString(), null, "it cannot be removed");
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** The permission bits of a mode. */
  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values(); // starts with the owner's read
    for (int i = 0; i < all.length; i++) {
      if ((mode >> (all.length - 1 - i) & 1) != 0) {
        rights.add(all[i]);
      }
    }
    return rights;
  }

  /**
   * Restores it as it was when it was fresh.
   *
   * @throws IOException if it cannot be restored, for example because a folder's attributes were
   *     changed
   */
  void restore(Interruption interruption) throws IOException, TaskInterruptedException {
    Set<Item> changed = new LinkedHashSet<>();
    try (FolderLook look = FolderLook.begin()) {
      // a folder comes before its content
      for (Item item : items) {
        restore(item, changed, interruption);
        Members members = item.members;
        if (look != null && members != null) {
          interruption.check();
          look.compare(
              members.names(),
              place -> members.items().get(place).status,
              place -> members.items().get(place).unchanged = true);
        }
      }
    }
    for (Item item : changed) {
      var unused = item.capture();
    }
  }

  private static void restore(Item item, Set<Item> changed, Interruption interruption)
      throws IOException, TaskInterruptedException {
    FileStatus now = item.unchanged ? item.status : FileStatus.of(item.path);
    item.unchanged = false;
    boolean same = item.status.equals(now);
    if (same && item.settled) {
      return;
    }
    interruption.check();
    changed.add(item);
    if (!same || !isAsCopied(item)) {
      repair(item, now, interruption);
      if (item.parent != null) {
        changed.add(item.parent);
      }
    }
  }

  /** Whether its content is that of its original, for items whose status cannot tell. */
  private static boolean isAsCopied(Item item) throws IOException {
    if (item.status.isFolder() || item.source == null) {
      return false;
    }
    return item.status.isRegular()
        ? Files.mismatch(item.path, item.source) < 0
        : Files.readSymbolicLink(item.path).equals(Files.readSymbolicLink(item.source));
  }

  private static void repair(Item item, @Nullable FileStatus now, Interruption interruption)
      throws IOException, TaskInterruptedException {
    if (item.status.isFolder() && now != null && now.isFolder()) {
      clear(item, now);
      return;
    }
    if (now != null) {
      FileTrees.remove(item.path);
    }
    if (item.status.isFolder()) {
      Files.createDirectory(item.path);
      Files.setPosixFilePermissions(item.path, permissions(item.status.mode()));
    } else if (item.source != null) {
      FileTrees.copy(item.source, item.path, interruption);
    }
  }
}
