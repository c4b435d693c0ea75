package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What is sent, or stored, of results. Thread safe. */
public final class ReplyMessages {
  private final ResultBatch.WorkerId worker;
  private final Function<String, List<ResultBatch.Calls>> callsOfRun;
  private final TimeSource time;

  /**
   * Messages of one worker.
   *
   * @param callsOfRun the worker's API calls since its first bundle of the run; empty where they
   *     need not be told again
   */
  public ReplyMessages(
      ResultBatch.WorkerId worker,
      Function<String, List<ResultBatch.Calls>> callsOfRun,
      TimeSource time) {
    this.worker = worker;
    this.callsOfRun = callsOfRun;
    this.time = time;
  }

  OutgoingMessage message(Piece piece) {
    ResultBatch whole = batch(piece);
    ResultBatch sent = piece.stored().isEmpty() ? whole : whole.storedUnder(piece.stored());
    return new OutgoingMessage(Map.of(), ResultCodec.encode(sent));
  }

  /** What is stored, with its results. */
  byte[] blob(Piece piece) {
    return ResultCodec.encode(batch(piece));
  }

  /**
   * Where it is to be stored. What failed may have been stored all the same, and is put together
   * anew: that gets another key, as no key's content ever changes.
   */
  static String key(Piece piece) {
    BundleHeader header = piece.inHand().header();
    String key =
        BlobKeys.out(header.run(), header.bundle(), piece.inHand().nonce(), piece.firstOrdinal());
    int failures = piece.inHand().replyFailures();
    return failures == 0 ? key : key + '-' + failures;
  }

  private ResultBatch batch(Piece piece) {
    BundleInHand inHand = piece.inHand();
    BundleHeader header = inHand.header();
    // What is sent together is guarded by one claim.
    int first = piece.tasks().stream().findFirst().orElse(0);
    return new ResultBatch(
        header.run(),
        header.epoch(),
        header.bundle(),
        worker,
        inHand.attempt(first),
        inHand.nonce(),
        inHand.stamps(first, time.wallMicros()),
        piece.results(),
        callsOfRun.apply(header.run()),
        "");
  }
}
