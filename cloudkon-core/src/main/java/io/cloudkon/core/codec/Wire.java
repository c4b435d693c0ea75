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
 * Parses one kind of message from anyone's bytes, without spending very much more memory than they
 * take.
 */
final class Wire<T extends Message> {
  private final String what;
  private final Parser<T> parser;
  private final int listField;
  private final int mostBytes;

  /**
   * A parser that drops unknown fields: kept, each could take a hundred times its bytes.
   *
   * @param what names the message: "bundle"
   * @param parser the generated one
   * @param listField the number of the field that lists tasks or results
   * @param mostBytes how large a message may be
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
   * A megabyte has room for half a million empty entries: they are counted before they become
   * objects.
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
