package io.cloudkon.client.report;

import io.cloudkon.core.error.CloudKonException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Writes JSON values as UTF-8 bytes to a growing buffer. Made for result lines, where a general
 * writer costs more than the line's own fields. Characters that could confuse a terminal or a line
 * splitter (controls, U+2028, U+2029) are escaped. Not thread safe.
 */
final class JsonBytes {
  /** The largest array of most JVMs. */
  private static final int MOST = Integer.MAX_VALUE - 8;

  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] PAIRS = new byte[200];

  /**
   * The escape of each ASCII character: 0 if it needs none, u for \\u00XX, else the character after
   * a backslash.
   */
  private static final byte[] ESCAPES = new byte[128];

  static {
    for (int i = 0; i < 100; i++) {
      PAIRS[2 * i] = (byte) ('0' + i / 10);
      PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
    }
    Arrays.fill(ESCAPES, 0, 0x20, (byte) 'u');
    ESCAPES[0x7f] = 'u';
    ESCAPES['\b'] = 'b';
    ESCAPES['\t'] = 't';
    ESCAPES['\n'] = 'n';
    ESCAPES['\f'] = 'f';
    ESCAPES['\r'] = 'r';
    ESCAPES['"'] = '"';
    ESCAPES['\\'] = '\\';
  }

  private byte[] bytes;
  private int size;

  JsonBytes(int capacity) {
    bytes = new byte[capacity];
  }

  /** Encodes pure ASCII text for {@link #raw}. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  int size() {
    return size;
  }

  /** The buffer itself; valid up to {@link #size}, until the next write. */
  byte[] array() {
    return bytes;
  }

  /** A copy of the bytes written so far. */
  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Empties the buffer, and shrinks it to this capacity if a huge line has grown it. */
  void clear(int capacity) {
    size = 0;
    if (bytes.length > capacity) {
      bytes = new byte[capacity];
    }
  }

  /** Appends bytes that are JSON already. */
  JsonBytes raw(byte[] json) {
    copy(json, 0, json.length);
    return this;
  }

  private void copy(byte[] from, int start, int length) {
    ensure(length);
    System.arraycopy(from, start, bytes, size, length);
    size += length;
  }

  JsonBytes number(long value) {
    if (value < 0) {
      return raw(ascii(Long.toString(value)));
    }
    ensure(20);
    int end = size + digits(value);
    size = end;
    while (value >= 100) {
      int pair = 2 * (int) (value % 100);
      value /= 100;
      bytes[--end] = PAIRS[pair + 1];
      bytes[--end] = PAIRS[pair];
    }
    bytes[--end] = PAIRS[2 * (int) value + 1];
    if (value >= 10) {
      bytes[end - 1] = PAIRS[2 * (int) value];
    }
    return this;
  }

  /** Appends a number below a million as six digits, which alone are not a valid JSON number. */
  JsonBytes sixDigits(long value) {
    ensure(6);
    int rest = (int) value;
    for (int at = size + 4; at >= size; at -= 2) {
      int pair = 2 * (rest % 100);
      rest /= 100;
      bytes[at] = PAIRS[pair];
      bytes[at + 1] = PAIRS[pair + 1];
    }
    size += 6;
    return this;
  }

  /** Appends a string; a lone surrogate becomes U+FFFD. */
  JsonBytes string(String text) {
    one('"');
    characters(text);
    return one('"');
  }

  /**
   * Appends the first {@code length} bytes as a string; invalid UTF-8 becomes U+FFFD, as in Java's
   * decoder.
   */
  JsonBytes text(byte[] utf8, int length) {
    one('"');
    int i = 0;
    while (i < length && utf8[i] >= 0) {
      int plain = i;
      while (i < length && utf8[i] >= 0 && ESCAPES[utf8[i]] == 0) {
        i++;
      }
      copy(utf8, plain, i - plain);
      if (i < length && utf8[i] >= 0) {
        asciiCharacter(utf8[i++]);
      }
    }
    if (i < length) {
      characters(new String(utf8, i, length - i, StandardCharsets.UTF_8));
    }
    return one('"');
  }

  /** Appends bytes as a base64 string, with padding. */
  JsonBytes base64(byte[] data) {
    return one('"').raw(Base64.getEncoder().encode(data)).one('"');
  }

  private void characters(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        asciiCharacter(c);
      } else if (c < 0xa0 || c == 0x2028 || c == 0x2029) {
        unicodeEscape(c);
      } else if (!Character.isSurrogate(c)) {
        codePoint(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        codePoint(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        codePoint(0xfffd);
      }
    }
  }

  private void asciiCharacter(int c) {
    ensure(6);
    byte escape = ESCAPES[c];
    if (escape == 0) {
      bytes[size++] = (byte) c;
    } else if (escape == 'u') {
      unicodeEscape(c);
    } else {
      bytes[size++] = '\\';
      bytes[size++] = escape;
    }
  }

  private void unicodeEscape(int c) {
    ensure(6);
    bytes[size++] = '\\';
    bytes[size++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[size++] = HEX[c >> shift & 0xf];
    }
  }

  /** Appends a non-ASCII character as two to four bytes. */
  private void codePoint(int c) {
    ensure(4);
    if (c < 0x800) {
      bytes[size++] = (byte) (0xc0 | c >> 6);
    } else {
      if (c < 0x10000) {
        bytes[size++] = (byte) (0xe0 | c >> 12);
      } else {
        bytes[size++] = (byte) (0xf0 | c >> 18);
        bytes[size++] = (byte) (0x80 | (c >> 12 & 0x3f));
      }
      bytes[size++] = (byte) (0x80 | (c >> 6 & 0x3f));
    }
    bytes[size++] = (byte) (0x80 | (c & 0x3f));
  }

  private JsonBytes one(char c) {
    ensure(1);
    bytes[size++] = (byte) c;
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long power = 10; digits < 19 && value >= power; power *= 10) {
      digits++;
    }
    return digits;
  }

  private void ensure(int more) {
    if (bytes.length - size < more) {
      long needed = (long) size + more;
      if (needed > MOST) {
        throw new CloudKonException(
            "the line of a result is larger than %,d bytes; run the task with a smaller --capture"
                .formatted(MOST));
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MOST, Math.max(2L * bytes.length, needed)));
    }
  }
}
