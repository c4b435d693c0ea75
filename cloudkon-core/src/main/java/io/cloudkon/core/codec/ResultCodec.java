package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.core.wire.WireCalls;
import io.cloudkon.core.wire.WireRankResult;
import io.cloudkon.core.wire.WireResult;
import io.cloudkon.core.wire.WireResults;
import io.cloudkon.core.wire.WireStatus;
import io.cloudkon.core.wire.WireWorker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes result messages. Stateless and thread safe. */
public final class ResultCodec {
  private static final byte[] NOTHING = new byte[0];
  private static final int OPERATIONS = 256;

  /** The maximum size of a tag and a length. */
  private static final int LENGTH_BYTES = 1 + 4;

  /**
   * The maximum size of the fields that depend on the surrounding message: the gap, the status, the
   * start after the receive.
   */
  private static final int SKIP_STATUS_AND_START_BYTES = (1 + 5) + (1 + 1) + (1 + 10);

  /** The maximum size of a rank's frame, number, exit code, and the frames of three texts. */
  private static final int RANK_BYTES = LENGTH_BYTES + (1 + 5) + (1 + 5) + 3 * LENGTH_BYTES;

  private static final Wire<WireResults> FORMAT =
      new Wire<>(
          "result message",
          WireResults.parser(),
          WireResults.RESULTS_FIELD_NUMBER,
          Limits.MESSAGE_BYTES);

  private static final Wire<WireResults> STORED =
      new Wire<>(
          "stored result message",
          WireResults.parser(),
          WireResults.RESULTS_FIELD_NUMBER,
          Integer.MAX_VALUE);

  private ResultCodec() {}

  /**
   * An upper bound, which is close, for the number of bytes that this result takes within a
   * message.
   */
  public static int sizeOf(TaskResult result) {
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

  /**
   * Encodes a batch; the caller ensures with {@link #sizeOf} that the results fit into a message.
   */
  public static byte[] encode(ResultBatch batch) {
    return message(batch, true).build().toByteArray();
  }

  static WireResults.Builder message(ResultBatch batch, boolean withResults) {
    ResultBatch.BundleStamps stamps = batch.stamps();
    WireResults.Builder wire =
        WireResults.newBuilder()
            .setVersion(BundleCodec.VERSION)
            .setRun(batch.run())
            .setEpoch(batch.epoch())
            .setBundle(batch.bundle())
            .setWorker(
                WireWorker.newBuilder()
                    .setId(batch.worker().id())
                    .setSlots(batch.worker().slots())
                    .setSinceMicros(batch.worker().sinceMicros())
                    .setType(batch.worker().type())
                    .setLifeCycle(batch.worker().lifeCycle())
                    .setShippedFiles(batch.worker().shippedFiles()))
            .setAttempt(batch.attempt())
            .setNonce(batch.nonce())
            .setReceiveBegunMicros(stamps.receiveBegun())
            .setReceivedMicros(stamps.received())
            .setClaimBegunMicros(stamps.claimBegun())
            .setClaimedMicros(stamps.claimed())
            .setReplyBegunMicros(stamps.replyBegun())
            .setBundleError(batch.bundleError())
            .setStored(batch.stored());
    if (!batch.results().isEmpty()) {
      wire.setFirstOrdinal(batch.results().getFirst().ordinal());
      int expected = batch.results().getFirst().ordinal();
      for (TaskResult result : batch.results()) {
        if (withResults) {
          wire.addResults(toWire(result, expected, stamps.received()));
        }
        expected = result.ordinal() + 1;
      }
    }
    for (ResultBatch.Calls calls : batch.calls()) {
      wire.addCalls(
          WireCalls.newBuilder()
              .setOperation(calls.operation())
              .setCalls(calls.calls())
              .setUnits(calls.units()));
    }
    return wire;
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

  /**
   * Decodes a result message from untrusted bytes.
   *
   * @throws MalformedMessageException if they are not a result message within all limits
   */
  public static ResultBatch decode(byte[] bytes) throws MalformedMessageException {
    return batch(FORMAT.parse(bytes));
  }

  /**
   * Decodes a result message from the blob store, whose size is not limited to that of a message.
   *
   * @throws MalformedMessageException if it is not a result message with results
   */
  public static ResultBatch decodeStored(byte[] bytes) throws MalformedMessageException {
    ResultBatch batch = batch(STORED.parse(bytes));
    check(batch.stored().isEmpty(), "results, where a message says that they are stored");
    return batch;
  }

  private static ResultBatch batch(WireResults wire) throws MalformedMessageException {
    check(wire.getVersion() != 0, "a result message with its schema version");
    check(
        wire.getVersion() == BundleCodec.VERSION,
        "a result message of schema version "
            + BundleCodec.VERSION
            + " or lower; use a newer client");
    Ids.checkBundle(wire.getRun(), wire.getEpoch(), wire.getBundle());
    WireWorker worker = wire.getWorker();
    check(worker.getId().length() <= Limits.ID_BYTES, "a worker id of legal length");
    check(worker.getSlots() >= 0, "a number of slots");
    check(
        worker.getType().length() <= Limits.ID_BYTES
            && worker.getLifeCycle().length() <= Limits.ID_BYTES
            && worker.getShippedFiles().length() <= Limits.ID_BYTES,
        "an instance type, a life cycle and a way of shipped files of legal length");
    check(wire.getAttempt() >= 0, "an attempt of 0 or more");
    check(wire.getNonce().length() <= Limits.TOKEN_CHARS, "a nonce of legal length");
    int kinds =
        (wire.getResultsCount() > 0 ? 1 : 0)
            + (wire.getBundleError().isEmpty() ? 0 : 1)
            + (wire.getStored().isEmpty() ? 0 : 1);
    check(kinds == 1, "results, or else a bundle's error, or where results are stored");
    check(
        wire.getStored().isEmpty()
            || (wire.getStored().length() <= Limits.KEY_CHARS
                && wire.getStored().startsWith(BlobKeys.out(wire.getRun(), wire.getBundle()))),
        "a key of this bundle's results");
    return new ResultBatch(
        wire.getRun(),
        wire.getEpoch(),
        wire.getBundle(),
        new ResultBatch.WorkerId(
            worker.getId(),
            worker.getSlots(),
            worker.getSinceMicros(),
            worker.getType(),
            worker.getLifeCycle(),
            worker.getShippedFiles()),
        wire.getAttempt(),
        wire.getNonce(),
        new ResultBatch.BundleStamps(
            wire.getReceiveBegunMicros(),
            wire.getReceivedMicros(),
            wire.getClaimBegunMicros(),
            wire.getClaimedMicros(),
            wire.getReplyBegunMicros()),
        results(wire),
        calls(wire),
        wire.getBundleError(),
        wire.getStored());
  }

  private static List<ResultBatch.Calls> calls(WireResults wire) throws MalformedMessageException {
    check(wire.getCallsCount() <= OPERATIONS, "calls of at most " + OPERATIONS + " operations");
    List<ResultBatch.Calls> all = new ArrayList<>(wire.getCallsCount());
    for (WireCalls calls : wire.getCallsList()) {
      check(
          calls.getCalls() >= 0 && calls.getUnits() >= 0 && Double.isFinite(calls.getUnits()),
          "numbers of calls of 0 or more");
      all.add(new ResultBatch.Calls(calls.getOperation(), calls.getCalls(), calls.getUnits()));
    }
    return all;
  }

  private static List<TaskResult> results(WireResults wire) throws MalformedMessageException {
    List<TaskResult> results = new ArrayList<>(wire.getResultsCount());
    check(wire.getFirstOrdinal() >= 0, "an ordinal within the run's limit");
    int ordinal = wire.getFirstOrdinal();
    for (WireResult result : wire.getResultsList()) {
      ordinal = Ids.next(ordinal, result.getSkip());
      results.add(fromWire(result, ordinal, wire.getReceivedMicros()));
      ordinal++;
    }
    return results;
  }

  private static TaskResult fromWire(WireResult wire, int ordinal, long received)
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
