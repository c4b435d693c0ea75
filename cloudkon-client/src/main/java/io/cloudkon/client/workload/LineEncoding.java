package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** Distinguishes text from binary data. Not thread safe. */
final class LineEncoding {
  static final int BYTE_ORDER_MARK_LENGTH = 3;

  private final CharsetDecoder decoder =
      UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  /** Receives decoded characters, which are discarded. */
  private final CharBuffer drain = CharBuffer.allocate(1024);

  /** Refuses a line that is not well-formed UTF-8. */
  void check(byte[] bytes, int from, int to) throws BadLineException {
    ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
    decoder.reset();
    CoderResult result;
    do {
      drain.clear();
      result = decoder.decode(in, drain, true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw hasControls(bytes, from, to) ? binary("bytes that are not UTF-8") : otherEncoding();
    }
  }

  /** Whether the line has control characters, which text has not. */
  private static boolean hasControls(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
        return true;
      }
    }
    return false;
  }

  private static BadLineException otherEncoding() {
    return new BadLineException(
        "the line has bytes that are not UTF-8, as text in another encoding does",
        "expected text in UTF-8; to convert it from Latin-1: iconv -f ISO-8859-1 -t UTF-8");
  }

  static boolean hasByteOrderMark(byte[] b, int from, int to) {
    return to - from >= BYTE_ORDER_MARK_LENGTH
        && b[from] == (byte) 0xEF
        && b[from + 1] == (byte) 0xBB
        && b[from + 2] == (byte) 0xBF;
  }

  /** The refusal of a line with such bytes. */
  static BadLineException binary(String found) {
    return new BadLineException(
        "this looks like a binary file: the line has " + found, "expected text in UTF-8");
  }
}
