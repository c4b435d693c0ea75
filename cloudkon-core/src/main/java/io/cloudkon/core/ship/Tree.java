package io.cloudkon.core.ship;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A file, or a folder with everything in it, as a tar.gz of which all entries begin with its name.
 *
 * <p>Kept are: contents, names (as UTF-8, of any length), the owner's permissions of files, empty
 * folders, and symbolic links that stay within the folder. Hard links become files of their own.
 * Times, owners and the permissions of others are left out, and entries are sorted, so that the
 * same tree gives the same bytes. A symbolic link that is itself what is packed stands for what it
 * points to.
 *
 * <p>Stateless and thread safe; needs memory for a block, not for a file. Every failure is an
 * {@link IOException} of one line that names the file, {@link java.io.InterruptedIOException} if
 * the thread was interrupted (its flag stays set).
 */
public final class Tree {
  /** What every entry takes at least, and in whole numbers, when it is unpacked. */
  public static final int BLOCK_BYTES = 4096;

  /** The most that may be packed, in bytes: 64 GiB. */
  public static final long UNPACKED_BYTES = 64L << 30;

  /** The name of what {@link #packFile} has packed. */
  public static final String FILE = "file";

  private Tree() {}

  /**
   * The name under which a file or folder is packed: that of the path's last element, or of the
   * real folder where the path ends in {@code .} or {@code ..}.
   *
   * @throws IOException if there is no such folder, or it has no name, as {@code /}
   */
  public static String nameOf(Path path) throws IOException {
    return FileNames.ofTop(path);
  }

  /**
   * Looks at everything that would be packed, without reading contents.
   *
   * @throws IOException if something is missing, cannot be read, is neither file nor folder nor
   *     link, or is a link that leaves the folder or leads nowhere
   */
  public static void check(Path path) throws IOException {
    TreeWalk.of(path, node -> {});
  }

  /**
   * Packs a file or folder.
   *
   * @param out left open
   * @throws IOException as {@link #check} does, and if a file changes while it is read
   */
  public static void pack(Path path, OutputStream out) throws IOException {
    try (Packing packing = new Packing(out)) {
      TreeWalk.of(path, packing);
      packing.finish();
    }
  }

  /**
   * Packs one file under the name {@value #FILE}, whatever its own is: so the same content gives
   * the same archive.
   *
   * @param out left open
   * @throws IOException as {@link #pack} does, and if it is no file, or no link to one
   */
  public static void packFile(Path path, OutputStream out) throws IOException {
    try (Packing packing = new Packing(out)) {
      TreeWalk.ofFile(path, FILE, packing);
      packing.finish();
    }
  }

  /**
   * Unpacks an archive: what was packed under some name is then {@code folder/name}. What was
   * unpacked before a failure stays. Files get the owner's permissions that they had; folders all
   * of the owner's, so that what is in them can be removed again.
   *
   * @param in read to its end, left open
   * @param folder exists; nothing is written outside of it, whatever the archive says
   * @param most how many bytes may come out. Each file counts in whole blocks of {@value
   *     #BLOCK_BYTES}, each folder and link as one, so that a million empty files are not free
   * @return how many did
   * @throws IOException if the archive is damaged, holds anything that {@link #pack} does not
   *     write, would write over a file, or holds more than {@code most}
   */
  public static long unpack(InputStream in, Path folder, long most) throws IOException {
    return new Unpacking(folder, most).unpack(in);
  }
}
