package io.cloudkon.core.ship;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Visits a tree in order of names, each folder before its content, and refuses entries that cannot
 * be packed.
 */
final class TreeWalk {
  /** Handles each entry. */
  interface Visitor {
    void visit(Node node) throws IOException;
  }

  private static final String EXPECTED = "expected files, folders, and links that stay within them";

  private final Path root;
  private final Visitor visitor;
  private long bytes;

  private TreeWalk(Path root, Visitor visitor) {
    this.root = root;
    this.visitor = visitor;
  }

  static void of(Path path, Visitor visitor) throws IOException {
    String name;
    Path root;
    try {
      name = FileNames.ofTop(path);
      root = path.toRealPath();
    } catch (FileSystemException e) {
      throw unreadable(path, e);
    }
    new TreeWalk(root, visitor).visit(root, name, path);
  }

  /** Visits a file, or the file to which a link points, under another name. */
  static void ofFile(Path path, String name, Visitor visitor) throws IOException {
    try {
      Path root = path.toRealPath();
      if (!Files.isRegularFile(root, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(
            "%s: is %s; expected a file"
                .formatted(path, Files.isDirectory(root) ? "a folder" : special(root)));
      }
      new TreeWalk(root, visitor).visit(root, name, path);
    } catch (FileSystemException e) {
      throw unreadable(path, e);
    }
  }

  private void visit(Path path, String name, Path shown) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isSymbolicLink()) {
        visitor.visit(new Node.Link(name, target(path, shown)));
      } else if (attributes.isDirectory()) {
        visitor.visit(new Node.Folder(name));
        for (Path child : sorted(path)) {
          visit(
              child,
              name + '/' + FileNames.of(child.getFileName()),
              shown.resolve(child.getFileName()));
        }
      } else if (attributes.isRegularFile()) {
        file(path, name, shown, attributes);
      } else {
        throw new IOException("%s: is %s; %s".formatted(shown, special(path), EXPECTED));
      }
    } catch (FileSystemException e) {
      throw unreadable(shown, e);
    }
  }

  private void file(Path path, String name, Path shown, BasicFileAttributes attributes)
      throws IOException {
    if (!Files.isReadable(path)) {
      throw new AccessDeniedException(path.toString());
    }
    bytes += attributes.size();
    if (bytes > Tree.UNPACKED_BYTES) {
      throw new IOException(
          "%s: with this file there are more than %d GiB; expected less"
              .formatted(shown, Tree.UNPACKED_BYTES >> 30));
    }
    visitor.visit(
        new Node.File(
            name,
            path,
            shown,
            attributes.size(),
            attributes.lastModifiedTime().toMillis(),
            OwnerMode.of(path)));
  }

  private static List<Path> sorted(Path folder) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(children::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    children.sort(Comparator.naturalOrder());
    return children;
  }

  /**
   * The final target of a link, relative to its own folder, so that no link of a chain can lead
   * elsewhere.
   */
  private String target(Path link, Path shown) throws IOException {
    Path end;
    try {
      end = link.toRealPath();
    } catch (NoSuchFileException e) {
      throw new IOException(
          "%s: is a link to %s, which does not exist; %s"
              .formatted(shown, Files.readSymbolicLink(link), EXPECTED),
          e);
    }
    if (!end.startsWith(root)) {
      throw new IOException(
          "%s: is a link to %s, which is outside of what is shipped; %s"
              .formatted(shown, Files.readSymbolicLink(link), EXPECTED));
    }
    String target = FileNames.ofRelative(requireNonNull(link.getParent()).relativize(end));
    return target.isEmpty() ? "." : target;
  }

  /**
   * Describes an entry that is neither file nor folder nor link, by the bits of {@code stat(2)}.
   */
  private static String special(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return "neither a file nor a folder";
    }
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return switch (mode & 0170000) {
      case 0140000 -> "a socket";
      case 0010000 -> "a named pipe";
      case 0020000, 0060000 -> "a device";
      default -> "neither a file nor a folder";
    };
  }

  private static IOException unreadable(Path shown, FileSystemException e) {
    String why =
        switch (e) {
          case NoSuchFileException gone -> "no such file or folder";
          case AccessDeniedException denied -> "cannot be read: permission denied";
          default -> "cannot be read: " + (e.getReason() == null ? e.getMessage() : e.getReason());
        };
    return new IOException("%s: %s; %s".formatted(shown, why, EXPECTED), e);
  }
}
