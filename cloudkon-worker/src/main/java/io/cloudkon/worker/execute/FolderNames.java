package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of some files of one folder, as C strings. The arrays are never written to.
 *
 * @param path the path of the folder, with a final NUL
 * @param text the names, each with a final NUL
 * @param starts the index in {@code text} at which each name starts
 */
record FolderNames(byte[] path, byte[] text, int[] starts) {

  /** Collects the names; null if the folder's path is not ASCII, because Java's encoding varies. */
  static @Nullable FolderNames of(Path folder, List<Path> files) {
    if (!isPlain(folder)) {
      return null;
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int[] starts = new int[files.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = text.size();
      text.writeBytes(bytes(files.get(i).getFileName().toString()));
    }
    return new FolderNames(bytes(folder.toString()), text.toByteArray(), starts);
  }

  /** Whether a path consists of ASCII characters only. */
  static boolean isPlain(Path path) {
    return path.toString().chars().allMatch(c -> c > 0 && c < 128);
  }

  private static byte[] bytes(String name) {
    return (name + '\0').getBytes(US_ASCII);
  }

  int size() {
    return starts.length;
  }

  int start(int place) {
    return starts[place];
  }
}
