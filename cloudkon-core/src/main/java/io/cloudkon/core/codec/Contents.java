package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.wire.WireContent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Encodes and decodes references to content in the blob store. */
final class Contents {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final int NAME_CHARS = 255;

  private Contents() {}

  static WireContent toWire(Content content) {
    return WireContent.newBuilder()
        .setSha256(content.sha256())
        .setBytes(content.bytes())
        .setName(content.name())
        .build();
  }

  static Content fromWire(WireContent wire) throws MalformedMessageException {
    check(SHA256.matcher(wire.getSha256()).matches(), "content named by its SHA-256");
    check(
        wire.getBytes() >= 0 && wire.getBytes() <= Limits.BLOB_BYTES,
        "content of at most " + Limits.BLOB_BYTES + " bytes");
    String name = wire.getName();
    check(
        name.length() <= NAME_CHARS
            && name.indexOf('/') < 0
            && name.indexOf('\0') < 0
            && !name.equals(".")
            && !name.equals(".."),
        "a plain file name");
    return new Content(wire.getSha256(), wire.getBytes(), name);
  }

  /** The shipped trees of a bundle, each of which has a name. */
  static List<Content> ships(List<WireContent> wire) throws MalformedMessageException {
    check(wire.size() <= Limits.SHIPS, "at most " + Limits.SHIPS + " shipped files and folders");
    List<Content> ships = new ArrayList<>(wire.size());
    for (WireContent content : wire) {
      check(!content.getName().isEmpty(), "a name for what is shipped");
      ships.add(fromWire(content));
    }
    return ships;
  }
}
