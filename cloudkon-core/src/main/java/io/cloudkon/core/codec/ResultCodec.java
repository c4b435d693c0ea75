package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.wire.WireCalls;
import io.cloudkon.core.wire.WireResult;
import io.cloudkon.core.wire.WireResults;
import io.cloudkon.core.wire.WireWorker;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes result messages. Stateless and thread safe. */
public final class ResultCodec {
  private static final int OPERATIONS = 256;

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
    return TaskResultCodec.sizeOf(result);
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
          wire.addResults(TaskResultCodec.toWire(result, expected, stamps.received()));
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
    check(!batch.tellsNothing(), "results or a bundle's error");
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
    check(kinds <= 1, "results, or else a bundle's error, or where results are stored");
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
      results.add(TaskResultCodec.fromWire(result, ordinal, wire.getReceivedMicros()));
      ordinal++;
    }
    return results;
  }
}
