package io.cloudkon.worker.input;

import io.cloudkon.core.model.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Checks bytes and files against their expected length and SHA-256. */
final class Digests {
  private static final int CHUNK = 128 * 1024;

  private Digests() {}

  static boolean matches(Content content, byte[] bytes) {
    return bytes.length == content.bytes()
        && HexFormat.of().formatHex(sha256().digest(bytes)).equals(content.sha256());
  }

  static boolean matches(Content content, Path file) throws IOException {
    if (Files.size(file) != content.bytes()) {
      return false;
    }
    MessageDigest digest = sha256();
    byte[] chunk = new byte[CHUNK];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        digest.update(chunk, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest()).equals(content.sha256());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
