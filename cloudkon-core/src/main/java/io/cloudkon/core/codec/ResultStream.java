package io.cloudkon.core.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.wire.WireResult;
import io.cloudkon.core.wire.WireResults;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a result message whose outputs may be on disk. The bytes are those of {@link
 * ResultCodec#encode}, except for the order of the fields. Stateless and thread safe.
 */
public final class ResultStream {
  private ResultStream() {}

  /**
   * Encodes into a stream, which needs memory only for a small part of the outputs on disk.
   *
   * @throws IOException if the stream cannot be written to
   */
  public static void write(ResultBatch batch, OutputStream out) throws IOException {
    CodedOutputStream coded = CodedOutputStream.newInstance(out);
    WireResults.Builder around = ResultCodec.message(batch, false);
    around.build().writeTo(coded);
    int expected = batch.results().isEmpty() ? 0 : batch.results().getFirst().ordinal();
    for (TaskResult result : batch.results()) {
      Spools spools = result.spools();
      WireResult rest =
          TaskResultCodec.toWire(result.with(Spools.NONE), expected, batch.stamps().received())
              .toBuilder()
              .setStdoutBytes(TaskResultCodec.cutLength(result.stdoutBytes(), result.stdoutKept()))
              .setStderrBytes(TaskResultCodec.cutLength(result.stderrBytes(), result.stderrKept()))
              .build();
      int size =
          rest.getSerializedSize()
              + fieldSize(WireResult.STDOUT_FIELD_NUMBER, spools.stdout())
              + fieldSize(WireResult.STDERR_FIELD_NUMBER, spools.stderr());
      coded.writeTag(WireResults.RESULTS_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      coded.writeUInt32NoTag(size);
      rest.writeTo(coded);
      field(coded, WireResult.STDOUT_FIELD_NUMBER, spools.stdout());
      field(coded, WireResult.STDERR_FIELD_NUMBER, spools.stderr());
      expected = result.ordinal() + 1;
    }
    coded.flush();
  }

  private static int fieldSize(int number, @Nullable Spooled spooled) {
    return spooled == null
        ? 0
        : CodedOutputStream.computeTagSize(number)
            + CodedOutputStream.computeUInt32SizeNoTag(spooled.length())
            + spooled.length();
  }

  private static void field(CodedOutputStream out, int number, @Nullable Spooled spooled)
      throws IOException {
    if (spooled != null) {
      out.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(spooled.length());
      out.writeRawBytes(spooled.bytes());
    }
  }
}
