package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.core.wire.WireRankResult;
import io.cloudkon.core.wire.WireResult;
import io.cloudkon.core.wire.WireStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes a task's result. */
final class TaskResultCodec {
  private static final byte[] NOTHING = new byte[0];

  /** The maximum size of a tag and a length. */
  private static final int LENGTH_BYTES = 1 + 4;

  /**
   * The maximum size of the fields that depend on the surrounding message: the gap, the status, the
   * start after the receive.
   */
  private static final int SKIP_STATUS_AND_START_BYTES = (1 + 5) + (1 + 1) + (1 + 10);

  /** The maximum size of a rank's frame, number, exit code, and the frames of three texts. */
  private static final int RANK_BYTES = LENGTH_BYTES + (1 + 5) + (1 + 5) + 3 * LENGTH_BYTES;

  private TaskResultCodec() {}

  /**
   * An upper bound, which is close, for the number of bytes that this result takes within a
   * message.
   */
  static int sizeOf(TaskResult result) {
    int size =
        SKIP_STATUS_AND_START_BYTES
            + textSize(result.error())
            + bytesSize(result.stdoutKept(), result.stdoutBytes())
            + bytesSize(result.stderrKept(), result.stderrBytes())
            + bytesSize(result.output().length, result.outputBytes())
            + numberSize(CodedOutputStream.encodeZigZag32(result.exitCode()))
            + numberSize(Math.max(0, result.finishedMicros() - result.startedMicros()))
            + numberSize(result.tries())
            + wideSize(result.usage().stagingMicros())
            + wideSize(result.usage().cpuMicros())
            + wideSize(result.usage().maxRssBytes());
    if (!Ids.isDefault(result.id(), result.ordinal())) {
      size += textSize(result.id());
    }
    size += FilesCodec.sizeOf(result.files());
    for (RankResult rank : result.ranks()) {
      size += RANK_BYTES + 3 * rank.worker().length() + rank.stdout().length + rank.stderr().length;
    }
    return 1 + CodedOutputStream.computeUInt32SizeNoTag(size) + size;
  }

  private static int bytesSize(int kept, long all) {
    return kept == 0 && all == 0 ? 0 : LENGTH_BYTES + kept + numberSize(all);
  }

  private static int textSize(String text) {
    return text.isEmpty() ? 0 : LENGTH_BYTES + 3 * text.length();
  }

  /** The field's own number takes two bytes. */
  private static int wideSize(long micros) {
    return micros == 0 ? 0 : 1 + numberSize(micros);
  }

  private static int numberSize(long number) {
    return number == 0 ? 0 : 1 + CodedOutputStream.computeUInt64SizeNoTag(number);
  }

  /** The builder must not leave this method: only then can the JIT compiler avoid allocating it. */
  static WireResult toWire(TaskResult result, int expectedOrdinal, long received) {
    WireResult.Builder wire =
        WireResult.newBuilder()
            .setSkip(result.ordinal() - expectedOrdinal)
            .setStatus(toWire(result.status()))
            .setExitCode(result.exitCode())
            .setStdout(wrapped(result.stdout(), result.spools().stdout()))
            .setStdoutBytes(cutLength(result.stdoutBytes(), result.stdoutKept()))
            .setStderr(wrapped(result.stderr(), result.spools().stderr()))
            .setStderrBytes(cutLength(result.stderrBytes(), result.stderrKept()))
            .setOutput(UnsafeByteOperations.unsafeWrap(result.output()))
            .setOutputBytes(cutLength(result.outputBytes(), result.output().length))
            .setError(result.error())
            .setStartedMicros(result.startedMicros() - received)
            .setRunMicros(Math.max(0, result.finishedMicros() - result.startedMicros()))
            .setTries(result.tries() == 1 ? 0 : result.tries())
            .setStagingMicros(result.usage().stagingMicros())
            .setCpuMicros(result.usage().cpuMicros())
            .setMaxRssBytes(result.usage().maxRssBytes());
    if (!Ids.isDefault(result.id(), result.ordinal())) {
      wire.setId(result.id());
    }
    if (!result.files().isNone()) {
      wire.setFiles(FilesCodec.toWire(result.files()));
    }
    for (RankResult rank : result.ranks()) {
      wire.addRanks(
          WireRankResult.newBuilder()
              .setRank(rank.rank())
              .setWorker(rank.worker())
              .setExitCode(rank.exitCode())
              .setStdout(UnsafeByteOperations.unsafeWrap(rank.stdout()))
              .setStderr(UnsafeByteOperations.unsafeWrap(rank.stderr())));
    }
    return wire.build();
  }

  private static ByteString wrapped(byte[] inMemory, @Nullable Spooled spooled) {
    return spooled == null
        ? UnsafeByteOperations.unsafeWrap(inMemory)
        : ByteString.copyFrom(spooled.bytes());
  }

  static long cutLength(long all, int kept) {
    return all == kept ? 0 : all;
  }

  static TaskResult fromWire(WireResult wire, int ordinal, long received)
      throws MalformedMessageException {
    long started = received + wire.getStartedMicros();
    check(wire.getRunMicros() >= 0 && wire.getTries() >= 0, "times and tries of 0 or more");
    check(
        wire.getStagingMicros() >= 0 && wire.getCpuMicros() >= 0,
        "staging and processor times of 0 or more");
    byte[] stdout = bytes(wire.getStdout());
    byte[] stderr = bytes(wire.getStderr());
    byte[] output = bytes(wire.getOutput());
    return new TaskResult(
        ordinal,
        Ids.fromWire(wire.getId(), ordinal),
        fromWire(wire.getStatus()),
        wire.getExitCode(),
        stdout,
        Math.max(wire.getStdoutBytes(), stdout.length),
        stderr,
        Math.max(wire.getStderrBytes(), stderr.length),
        output,
        Math.max(wire.getOutputBytes(), output.length),
        wire.getError(),
        started,
        started + wire.getRunMicros(),
        Math.max(1, wire.getTries()),
        ranks(wire),
        Spools.NONE,
        TaskUsage.of(wire.getStagingMicros(), wire.getCpuMicros(), wire.getMaxRssBytes()),
        wire.hasFiles() ? FilesCodec.fromWire(wire.getFiles()) : CollectedFiles.NONE);
  }

  private static List<RankResult> ranks(WireResult wire) throws MalformedMessageException {
    check(wire.getRanksCount() <= Limits.RANKS, "at most " + Limits.RANKS + " ranks");
    List<RankResult> ranks = new ArrayList<>(wire.getRanksCount());
    for (WireRankResult rank : wire.getRanksList()) {
      check(
          rank.getRank() >= 0 && rank.getRank() < Limits.RANKS,
          "a rank of 0 to " + (Limits.RANKS - 1));
      check(rank.getWorker().length() <= Limits.ID_BYTES, "a worker id of legal length");
      ranks.add(
          new RankResult(
              rank.getRank(),
              rank.getWorker(),
              rank.getExitCode(),
              bytes(rank.getStdout()),
              bytes(rank.getStderr())));
    }
    return ranks;
  }

  private static byte[] bytes(ByteString bytes) {
    return bytes.isEmpty() ? NOTHING : bytes.toByteArray();
  }

  private static WireStatus toWire(TaskStatus status) {
    return switch (status) {
      case SUCCEEDED -> WireStatus.SUCCEEDED;
      case FAILED -> WireStatus.FAILED;
      case TIMED_OUT -> WireStatus.TIMED_OUT;
      case CANCELLED -> WireStatus.CANCELLED;
      case LOST -> WireStatus.LOST;
    };
  }

  private static TaskStatus fromWire(WireStatus wire) throws MalformedMessageException {
    return switch (wire) {
      case SUCCEEDED -> TaskStatus.SUCCEEDED;
      case FAILED -> TaskStatus.FAILED;
      case TIMED_OUT -> TaskStatus.TIMED_OUT;
      case CANCELLED -> TaskStatus.CANCELLED;
      case LOST -> TaskStatus.LOST;
      case STATUS_UNSPECIFIED, UNRECOGNIZED ->
          throw new MalformedMessageException("expected a known status");
    };
  }
}
