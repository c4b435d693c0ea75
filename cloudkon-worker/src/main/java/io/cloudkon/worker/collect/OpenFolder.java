package io.cloudkon.worker.collect;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder that is read by its descriptor, if the system can. No link is ever followed, even if its
 * files or the folders above are replaced meanwhile. Must be closed. Not thread safe.
 */
final class OpenFolder implements Closeable {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final Path path;
  private final DirectoryStream<Path> stream;
  private final @Nullable SecureDirectoryStream<Path> secure;

  private OpenFolder(Path path, DirectoryStream<Path> stream) {
    this.path = path;
    this.stream = stream;
    this.secure = stream instanceof SecureDirectoryStream<Path> by ? by : null;
  }

  /** Opens a folder that no other process can move. */
  @SuppressWarnings("StreamResourceLeak") // closed with the folder
  static OpenFolder of(Path path) throws IOException {
    return new OpenFolder(path, Files.newDirectoryStream(path));
  }

  /** Opens the folder of this name in it; a link is not followed. */
  OpenFolder folder(Path name) throws IOException {
    if (secure != null) {
      return new OpenFolder(
          path.resolve(name), secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    }
    Path child = path.resolve(name);
    if (!Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("is no longer a folder");
    }
    return of(child);
  }

  /** The names of its entries, in order; may be called only once. */
  List<Path> names() throws IOException {
    List<Path> names = new ArrayList<>();
    try {
      stream.forEach(entry -> names.add(entry.getFileName()));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  /** The attributes of an entry; a link is not followed. */
  BasicFileAttributes attributes(Path name) throws IOException {
    PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
    if (posix != null) {
      return posix.readAttributes();
    }
    BasicFileAttributeView basic = view(name, BasicFileAttributeView.class);
    if (basic == null) {
      throw new IOException("has no attributes");
    }
    return basic.readAttributes();
  }

  private <V extends BasicFileAttributeView> @Nullable V view(Path name, Class<V> type) {
    return secure == null
        ? Files.getFileAttributeView(path.resolve(name), type, LinkOption.NOFOLLOW_LINKS)
        : secure.getFileAttributeView(name, type, LinkOption.NOFOLLOW_LINKS);
  }

  /** The content of a file in it; a link is not followed. */
  InputStream read(Path name) throws IOException {
    return Channels.newInputStream(
        secure == null
            ? Files.newByteChannel(path.resolve(name), READ)
            : secure.newByteChannel(name, READ));
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
