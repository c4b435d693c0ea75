package io.cloudkon.worker.execute.handlers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.TaskHandler;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * {@code java sha256 TEXT}: the SHA-256 digest of its first argument in UTF-8, as 64 hex digits.
 */
public final class Sha256Handler implements TaskHandler {
  private static final HexFormat HEX = HexFormat.of();

  @Override
  public String name() {
    return "sha256";
  }

  @Override
  public byte[] run(List<String> args) throws NoSuchAlgorithmException {
    if (args.isEmpty()) {
      throw new IllegalArgumentException("sha256 needs one argument: sha256 TEXT");
    }
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(args.getFirst().getBytes(UTF_8));
    return HEX.formatHex(digest).getBytes(ISO_8859_1);
  }
}
