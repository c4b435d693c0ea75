package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import io.cloudkon.core.model.Limits;
import java.io.IOException;

/**
 * Parses one kind of message from untrusted bytes, without using much more memory than the bytes
 * themselves.
 */
final class Wire<T extends Message> {
  private final String what;
  private final Parser<T> parser;
  private final int listField;
  private final int mostBytes;

  /**
   * A parser that drops unknown fields, because each could take a hundred times its bytes if it was
   * kept.
   *
   * @param what the name of the kind of message, such as "bundle"
   * @param parser the generated parser
   * @param listField the number of the field that lists tasks or results
   * @param mostBytes the maximum size of a message in bytes
   */
  Wire(String what, Parser<T> parser, int listField, int mostBytes) {
    this.what = what;
    this.parser = DiscardUnknownFieldsParser.wrap(parser);
    this.listField = listField;
    this.mostBytes = mostBytes;
  }

  T parse(byte[] bytes) throws MalformedMessageException {
    check(bytes.length <= mostBytes, "at most " + mostBytes + " bytes");
    try {
      checkList(bytes);
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedMessageException(
          "expected a protobuf %s: %s".formatted(what, e.getMessage()), e);
    } catch (IOException e) {
      throw new IllegalStateException("an array can be read", e);
    }
  }

  /**
   * Counts the entries of the list before objects are created, because a megabyte has room for half
   * a million empty entries.
   */
  private void checkList(byte[] bytes) throws IOException, MalformedMessageException {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    int entries = 0;
    for (int tag = in.readTag(); tag != 0 && in.skipField(tag); tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == listField) {
        entries++;
      }
    }
    if (entries > Limits.TASKS_PER_BUNDLE) {
      throw new MalformedMessageException(
          "expected a %s of at most %d tasks".formatted(what, Limits.TASKS_PER_BUNDLE));
    }
  }
}
