package io.cloudkon.client.report;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Bundles and results for tests: a bundle passes each stamp 10 ms after the one before. */
final class Samples {
  /** When the samples' bundle was submitted. */
  static final long T0 = 1_800_000_000_000_000L;

  /** Between two stamps, in microseconds. */
  static final long STEP = 10_000;

  private static final byte[] NOTHING = new byte[0];

  private Samples() {}

  /** Of a task without files: its slot has nothing to make ready. */
  static long at(Stamp stamp) {
    int after = stamp.compareTo(Stamp.STAGE_BEGUN) > 0 ? 1 : 0;
    return T0 + (stamp.ordinal() - after) * STEP;
  }

  static BundleTimes times() {
    return new BundleTimes(
        at(Stamp.SUBMITTED),
        at(Stamp.SEND_BEGUN),
        at(Stamp.SENT),
        at(Stamp.RECEIVE_BEGUN),
        at(Stamp.RECEIVED),
        at(Stamp.CLAIM_BEGUN),
        at(Stamp.CLAIMED),
        at(Stamp.REPLY_BEGUN),
        at(Stamp.REPLIED),
        at(Stamp.COLLECT_BEGUN),
        at(Stamp.COLLECTED));
  }

  static TaskResult succeeded(int ordinal) {
    return result(ordinal, TaskStatus.SUCCEEDED, 0, "", "", "", 1);
  }

  static TaskResult result(
      int ordinal, TaskStatus status, int exit, String out, String err, String error, int tries) {
    byte[] stdout = out.getBytes(StandardCharsets.UTF_8);
    byte[] stderr = err.getBytes(StandardCharsets.UTF_8);
    return new TaskResult(
        ordinal,
        Integer.toString(ordinal + 1),
        status,
        exit,
        stdout,
        stdout.length,
        stderr,
        stderr.length,
        NOTHING,
        0,
        error,
        at(Stamp.STARTED),
        at(Stamp.FINISHED),
        tries);
  }

  /** One that printed more than was kept. */
  static TaskResult cut(int ordinal) {
    TaskResult whole = result(ordinal, TaskStatus.SUCCEEDED, 0, "be", "", "", 1);
    return new TaskResult(
        whole.ordinal(),
        whole.id(),
        whole.status(),
        whole.exitCode(),
        whole.stdout(),
        9,
        whole.stderr(),
        whole.stderrBytes(),
        NOTHING,
        0,
        whole.error(),
        whole.startedMicros(),
        whole.finishedMicros(),
        whole.tries());
  }

  /** An HPC job with these ranks. */
  static TaskResult job(int ordinal, TaskStatus status, RankResult... ranks) {
    TaskResult plain = result(ordinal, status, 0, "", "", "why", 1);
    return new TaskResult(
        plain.ordinal(),
        plain.id(),
        plain.status(),
        plain.exitCode(),
        NOTHING,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        plain.error(),
        plain.startedMicros(),
        plain.finishedMicros(),
        1,
        List.of(ranks));
  }

  static RankResult rank(int rank, String worker, int exit, String out, String err) {
    return new RankResult(
        rank,
        worker,
        exit,
        out.getBytes(StandardCharsets.UTF_8),
        err.getBytes(StandardCharsets.UTF_8));
  }

  static TaskResult withStdout(byte[] kept, long all) {
    return new TaskResult(
        0,
        "1",
        TaskStatus.SUCCEEDED,
        0,
        kept,
        all,
        NOTHING,
        0,
        NOTHING,
        0,
        "",
        at(Stamp.STARTED),
        at(Stamp.FINISHED),
        1);
  }

  static TaskResult withOutput(byte[] kept, long all) {
    return new TaskResult(
        0,
        "1",
        TaskStatus.SUCCEEDED,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        kept,
        all,
        "",
        at(Stamp.STARTED),
        at(Stamp.FINISHED),
        1);
  }

  static List<TaskResult> succeeded(int from, int to) {
    return IntStream.range(from, to).mapToObj(Samples::succeeded).toList();
  }

  /** The message as it comes from a machine of this type. */
  static ResultBatch on(ResultBatch batch, String type, String lifeCycle) {
    ResultBatch.WorkerId worker = batch.worker();
    return new ResultBatch(
        batch.run(),
        batch.epoch(),
        batch.bundle(),
        new ResultBatch.WorkerId(
            worker.id(), worker.slots(), worker.sinceMicros(), type, lifeCycle),
        batch.attempt(),
        batch.nonce(),
        batch.stamps(),
        batch.results(),
        batch.calls(),
        batch.bundleError());
  }

  /** A message of worker {@code worker} with two slots, alive since {@link #T0}. */
  static ResultBatch batch(
      String worker, int sequence, int attempt, List<TaskResult> results, Calls... calls) {
    return new ResultBatch(
        "r",
        "e",
        "r/e/" + sequence,
        new ResultBatch.WorkerId(worker, 2, T0),
        attempt,
        "n",
        new ResultBatch.BundleStamps(
            at(Stamp.RECEIVE_BEGUN),
            at(Stamp.RECEIVED),
            at(Stamp.CLAIM_BEGUN),
            at(Stamp.CLAIMED),
            at(Stamp.REPLY_BEGUN)),
        results,
        List.of(calls),
        "");
  }
}
