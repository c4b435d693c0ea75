package io.cloudkon.worker.input;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.ship.Tree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Puts into a store what a client would. */
public final class Blobs {
  private Blobs() {}

  /** Ships a file or folder for a run. */
  public static Content ship(BlobStore blobs, String run, Path path) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Tree.pack(path, packed);
    return put(blobs, run, packed.toByteArray(), Tree.nameOf(path));
  }

  /** Stores a file that some task of a run needs for itself. */
  public static InputFile file(BlobStore blobs, String run, Path path, String as)
      throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Tree.packFile(path, packed);
    return new InputFile(as, put(blobs, run, packed.toByteArray(), ""));
  }

  /** Stores bytes for a run. */
  public static Content put(BlobStore blobs, String run, byte[] bytes, String name) {
    Content content = content(bytes, name);
    blobs.put(BlobKeys.in(run, content.sha256()), bytes);
    return content;
  }

  /** What bytes are called. */
  public static Content content(byte[] bytes, String name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Content(HexFormat.of().formatHex(digest), bytes.length, name);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
