package io.cloudkon.core.ship;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * Packs and unpacks a file, or a folder with everything in it, as a tar.gz whose entries all begin
 * with its name.
 *
 * <p>The archive keeps contents, names (as UTF-8, of any length), the owner's permissions of files,
 * empty folders, and symbolic links that stay within the folder. Hard links become separate files.
 * Times, owners and the permissions of others are omitted, and entries are sorted, so that the same
 * tree gives the same bytes. If a symbolic link itself is packed, its target is packed instead.
 *
 * <p>Stateless and thread safe; needs memory for a block only, not for a file. Every failure is an
 * {@link IOException} of one line that names the file, {@link java.io.InterruptedIOException} if
 * the thread was interrupted (its flag stays set).
 */
public final class Tree {
  /**
   * The block size in which entries are counted when they are unpacked, at least one block each.
   */
  public static final int BLOCK_BYTES = 4096;

  /** The most that may be packed, in bytes: 64 GiB. */
  public static final long UNPACKED_BYTES = 64L << 30;

  /** The name of the file in an archive of {@link #packFile}. */
  public static final String FILE = "file";

  private Tree() {}

  /**
   * The name under which a file or folder is packed: that of the path's last element, or of the
   * real folder where the path ends in {@code .} or {@code ..}.
   *
   * @throws IOException if there is no such folder, or it has no name, like {@code /}
   */
  public static String nameOf(Path path) throws IOException {
    return FileNames.ofTop(path);
  }

  /**
   * Checks everything that would be packed, without reading contents.
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
   * @throws IOException like {@link #check}, and if a file changes while it is read
   */
  public static void pack(Path path, OutputStream out) throws IOException {
    try (Packing packing = new Packing(out)) {
      TreeWalk.of(path, packing);
      packing.finish();
    }
  }

  /**
   * Packs one file under the name {@value #FILE}, whatever its own name is, so that the same
   * content gives the same archive.
   *
   * @param out left open
   * @throws IOException like {@link #pack}, and if it is neither a file nor a link to one
   */
  public static void packFile(Path path, OutputStream out) throws IOException {
    try (Packing packing = new Packing(out)) {
      TreeWalk.ofFile(path, FILE, packing);
      packing.finish();
    }
  }

  /**
   * Unpacks an archive: a tree that was packed under a name is then {@code folder/name}. Entries
   * that were unpacked before a failure are kept. Files get their original owner's permissions;
   * folders get all of the owner's permissions, so that their content can be removed again.
   *
   * @param in read to its end, left open
   * @param folder an existing folder; nothing is written outside of it, whatever the archive
   *     contains
   * @param most the maximum number of unpacked bytes. Each file counts in whole blocks of {@value
   *     #BLOCK_BYTES}, each folder and link as one, so that a million empty files are not free
   * @return the number of unpacked bytes
   * @throws ArchiveException if the archive is damaged, contains anything that {@link #pack} does
   *     not write, would overwrite a file, or has a name that this file system refuses
   * @throws TreeTooLargeException if it contains more than {@code most}
   * @throws IOException if it cannot be read, or the disk cannot be written to
   */
  public static long unpack(InputStream in, Path folder, long most) throws IOException {
    return new Unpacking(folder, most).unpack(in);
  }
}
