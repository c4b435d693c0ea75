package io.cloudkon.examples.checksums;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A directory tree with something in it to compute checksums of. */
public final class FileTree {
  private static final int FOLDERS = 12;
  private static final int SMALL_BYTES = 64 << 10;
  private static final int LARGE_BYTES = 2 << 20;

  /** Every so many files, one is large. */
  private static final int LARGE_EVERY = 40;

  private FileTree() {}

  /**
   * Makes it: the same files for the same number, blanks and quotes in their names, some empty,
   * some large.
   *
   * @param root an empty folder
   * @return the files' names below it, with {@code /} between folders
   */
  public static List<String> make(Path root, int files) throws IOException {
    SplittableRandom random = new SplittableRandom(files);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String name = "folder %d/it's file %03d.dat".formatted(1 + i % FOLDERS, i);
      byte[] content =
          new byte[i % LARGE_EVERY == 1 ? LARGE_BYTES : i == 0 ? 0 : random.nextInt(SMALL_BYTES)];
      random.nextBytes(content);
      Path file = root.resolve(name);
      Files.createDirectories(root.resolve("folder " + (1 + i % FOLDERS)));
      Files.write(file, content);
      names.add(name);
    }
    return names;
  }
}
