package io.cloudkon.worker.collect;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.OutOfDescriptors;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.ship.FileArchive;
import io.cloudkon.core.ship.FileNames;
import io.cloudkon.core.ship.FilePattern;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One walk through a task's directory, in order of names, that packs the files that its patterns
 * match. Anything else that matches, or that exceeds the limits, is left out and reported. Not
 * thread safe.
 */
final class FileCollection {
  private static final String LINK = "is a symbolic link, and links are not followed";
  private static final String SPECIAL = "is neither a file nor a folder";
  private static final String CHANGED = "changed while it was read";
  private static final String UNMATCHED = "nothing matches this pattern";

  private final CollectRule rule;
  private final List<FilePattern> patterns;
  private final @Nullable String owner;
  private final Set<String> restless;
  private final FileArchive archive;
  private final BitSet matched = new BitSet();
  private final LeftOutFiles leftOut = new LeftOutFiles();
  private int count;
  private long bytes;

  /** A file changed while it was read, so that its archive is unusable. */
  static final class ChangedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String name;

    ChangedException(String name) {
      super(name + " " + CHANGED);
      this.name = name;
    }

    String name() {
      return name;
    }
  }

  /**
   * A walk that has not begun.
   *
   * @param owner the user whose files are packed; null means any user
   * @param restless files that changed in earlier attempts, which are left out
   */
  FileCollection(
      CollectRule rule, @Nullable String owner, Set<String> restless, FileArchive archive) {
    this.rule = rule;
    this.patterns = rule.patterns().stream().map(FilePattern::of).toList();
    this.owner = owner;
    this.restless = restless;
    this.archive = archive;
  }

  /** Packs the matching files. */
  void pack(Path directory) throws IOException, ChangedException {
    try (OpenFolder folder = OpenFolder.of(directory)) {
      walk(folder, "", patterns.stream().map(FilePattern::start).toList());
    }
    for (int i = 0; i < patterns.size(); i++) {
      if (!matched.get(i)) {
        leftOut.add(patterns.get(i).toString(), UNMATCHED);
      }
    }
  }

  private void walk(OpenFolder folder, String prefix, List<FilePattern.Place> places)
      throws IOException, ChangedException {
    for (Path path : folder.names()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while collecting files");
      }
      String name;
      try {
        name = FileNames.of(path);
      } catch (IOException e) {
        if (places.stream().anyMatch(FilePattern.Place::isMatch)) {
          leftOut.add(prefix + path, "its name is not UTF-8");
        }
        continue;
      }
      List<FilePattern.Place> there = places.stream().map(place -> place.in(name)).toList();
      if (there.stream().anyMatch(FilePattern.Place::mayLead)) {
        visit(folder, path, prefix + name, there);
      }
    }
  }

  private void visit(OpenFolder folder, Path path, String name, List<FilePattern.Place> places)
      throws IOException, ChangedException {
    boolean wanted = false;
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i).isMatch()) {
        wanted = true;
        matched.set(i);
      }
    }
    try {
      BasicFileAttributes attributes = folder.attributes(path);
      if (attributes.isDirectory()) {
        try (OpenFolder inner = folder.folder(path)) {
          walk(inner, name + '/', places);
        }
      } else if (wanted) {
        file(folder, path, name, attributes);
      }
    } catch (FileSystemException e) {
      if (OutOfDescriptors.isCause(e)) {
        throw e;
      }
      // it was removed or replaced by a link meanwhile, or the worker may not read it
      if (wanted) {
        leftOut.add(name, "cannot be read: " + why(e));
      }
    }
  }

  private static String why(FileSystemException e) {
    return e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
  }

  private void file(OpenFolder folder, Path path, String name, BasicFileAttributes attributes)
      throws IOException, ChangedException {
    String fault = fault(name, attributes);
    if (!fault.isEmpty()) {
      leftOut.add(name, fault);
      return;
    }
    try (InputStream in = folder.read(path)) {
      if (!archive.add(name, attributes.size(), mode(attributes), in)) {
        throw new ChangedException(name);
      }
    }
    count++;
    bytes += attributes.size();
  }

  /** The reason why a file is left out; empty if it is not. */
  private String fault(String name, BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      return LINK;
    }
    if (!attributes.isRegularFile()) {
      return SPECIAL;
    }
    if (owner != null
        && attributes instanceof PosixFileAttributes posix
        && !posix.owner().getName().equals(owner)) {
      return "belongs to another user, " + Printable.line(posix.owner().getName());
    }
    if (restless.contains(name)) {
      return CHANGED;
    }
    if (count == rule.maxFiles()) {
      return "exceeds the limit of %,d files (--collect-files)".formatted(rule.maxFiles());
    }
    return attributes.size() > rule.maxBytes() - bytes
        ? "with its %,d bytes, the limit of %,d is exceeded (--collect-size)"
            .formatted(attributes.size(), rule.maxBytes())
        : "";
  }

  private static int mode(BasicFileAttributes attributes) {
    boolean executable =
        attributes instanceof PosixFileAttributes posix
            && posix.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
    return executable ? 0700 : 0600;
  }

  int count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  LeftOutFiles leftOut() {
    return leftOut;
  }
}
