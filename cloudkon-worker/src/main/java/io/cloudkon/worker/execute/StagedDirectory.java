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
 * A directory with copies of what was shipped, in which one command after the other starts, and
 * each finds it as if it were fresh: before a command starts, whatever was changed is copied again,
 * and what was added is removed. What was changed shows by its {@link FileStatus}, so that no
 * content is read; for files that were copied a moment ago, it is. Looking costs some 0.5 us a
 * file, or 2.5 where there is no {@link FolderLook}; copying costs 100. Used by one thread at a
 * time.
 */
final class StagedDirectory {
  /** Of so many files a copy takes longer than a look at every process. */
  private static final int WORTH_A_SEARCH = 1000;

  private final Path folder;
  private final List<Path> ships;
  private final List<Item> items = new ArrayList<>();
  private @Nullable GuardedProcess last;

  /** One file, folder or link in it. */
  private static final class Item {
    final Path path;

    /** What it is a copy of; null of the stage's own folder. */
    final @Nullable Path source;

    /** The folder around it; null of the stage's own. */
    final @Nullable Item parent;

    /** The names in a folder. */
    Set<Path> names = Set.of();

    /** The files and links of a folder that are looked at together; null if they are not. */
    @Nullable Members members;

    FileStatus status;
    boolean settled;

    /** It was looked at with the others, and is as it was. */
    boolean unchanged;

    Item(Path path, @Nullable Path source, @Nullable Item parent) throws IOException {
      this.path = path;
      this.source = source;
      this.parent = parent;
      this.status = capture();
    }

    /** Remembers how it is now. */
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
   * Copies what was shipped.
   *
   * @param folder an empty one; what was copied before a failure stays there
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

  /** How many files, folders and links it has. */
  int size() {
    return items.size();
  }

  /** It will not be used again: what it holds need not be known. */
  void forget() {
    items.clear();
  }

  boolean holds(List<Path> these) {
    return ships.equals(these);
  }

  /** Whether what it holds copies of is still there. */
  boolean hasSources() {
    return ships.stream().allMatch(Files::exists);
  }

  /** The command has ended that started here last. */
  void endedAs(GuardedProcess process) {
    last = process;
  }

  /** Whether nobody of the last command is left who could still write here. */
  boolean isQuiet() {
    return last == null || last.leftNobody(folder, items.size() >= WORTH_A_SEARCH);
  }

  /**
   * Removes what was added to its folders, so that it takes no room until somebody comes.
   *
   * @throws IOException if that cannot be done by their names: where a link stands in the place of
   *     a folder, they lead elsewhere
   */
  void clear() throws IOException {
    for (Item item : items) {
      if (item.status.isFolder()) {
        FileStatus now = FileStatus.of(item.path);
        if (now == null || !now.isFolder()) {
          throw new IOException(item.path + " is no folder any more");
        }
        if (!now.equals(item.status)) {
          clear(item, now);
        }
      }
    }
  }

  private static void clear(Item item, FileStatus now) throws IOException {
    FileStatus then = item.status;
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

  /** The bits of a mode, as rights. */
  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values(); // from the owner's read on
    for (int i = 0; i < all.length; i++) {
      if ((mode >> (all.length - 1 - i) & 1) != 0) {
        rights.add(all[i]);
      }
    }
    return rights;
  }

  /**
   * Makes it as it was when it was fresh.
   *
   * @throws IOException if it cannot be, as for a folder whose attributes were changed
   */
  void restore(Interruption interruption) throws IOException, TaskInterruptedException {
    Set<Item> changed = new LinkedHashSet<>();
    try (FolderLook look = FolderLook.begin()) {
      // a folder comes before what is in it
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

  /** By its content, where its status cannot tell. */
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
