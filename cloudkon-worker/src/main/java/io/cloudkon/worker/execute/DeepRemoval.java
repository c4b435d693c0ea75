package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/**
 * Removes a tree whose paths are longer than the system takes (4,096 bytes on Linux): by names
 * relative to open folders. Each folder is moved up to the top before it is emptied, so that any
 * depth needs two open folders only. Used by one thread.
 */
final class DeepRemoval {
  /** No system takes shorter paths only. */
  private static final int LONG = 1000;

  private final SecureDirectoryStream<Path> top;
  private final Deque<Path> folders = new ArrayDeque<>();
  private final String prefix = "cloudkon-" + UUID.randomUUID() + "-";
  private int moved;

  private DeepRemoval(SecureDirectoryStream<Path> top) {
    this.top = top;
  }

  /** Whether this failure may be that of a path that is too long. */
  static boolean mayHelp(IOException failure) {
    return failure instanceof FileSystemException of
        && of.getFile() != null
        && of.getFile().length() >= LONG;
  }

  /**
   * Removes a folder with its content; links are not followed.
   *
   * @throws IOException if anything cannot be removed, or this system opens no folders
   */
  static void remove(Path root) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
      if (!(stream instanceof SecureDirectoryStream<Path> top)) {
        throw new IOException("its paths are longer than this system takes");
      }
      new DeepRemoval(top).empty();
    }
    Files.deleteIfExists(root);
  }

  private void empty() throws IOException {
    for (Path name : names(top)) {
      if (isFolder(top, name)) {
        folders.add(name);
      } else {
        top.deleteFile(name);
      }
    }
    while (!folders.isEmpty()) {
      Path name = folders.removeLast();
      try (SecureDirectoryStream<Path> folder =
          top.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        flatten(folder);
      }
      top.deleteDirectory(name);
    }
  }

  /** Removes a folder's files, and moves its folders to the top. */
  private void flatten(SecureDirectoryStream<Path> folder) throws IOException {
    for (Path name : names(folder)) {
      if (isFolder(folder, name)) {
        Path up = Path.of(prefix + moved++);
        folder.move(name, top, up);
        folders.add(up);
      } else {
        folder.deleteFile(name);
      }
    }
  }

  private static boolean isFolder(SecureDirectoryStream<Path> in, Path name) throws IOException {
    return in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }

  private static List<Path> names(SecureDirectoryStream<Path> of) throws IOException {
    List<Path> names = new ArrayList<>();
    try {
      of.forEach(entry -> names.add(entry.getFileName()));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }
}
