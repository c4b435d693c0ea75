package io.cloudkon.client.report;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Determines whether bytes are text, and where cut text ends. */
final class OutputEncoding {
  private OutputEncoding() {}

  /** The number of bytes that remain when a trailing character that the cut split is dropped. */
  static int lengthOfWholeCharacters(byte[] cut) {
    for (int back = 1; back <= Math.min(3, cut.length); back++) {
      int b = cut[cut.length - back] & 0xff;
      if (b >= 0xc0) {
        int expected = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
        return expected > back ? cut.length - back : cut.length;
      }
      if (b < 0x80) {
        return cut.length;
      }
    }
    return cut.length;
  }

  /** Whether the first {@code length} bytes are valid UTF-8. */
  static boolean isText(byte[] bytes, int length) {
    int i = 0;
    while (i < length && bytes[i] >= 0) {
      i++;
    }
    if (i == length) {
      return true;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, i, length - i));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
