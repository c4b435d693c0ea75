package io.cloudkon.client.collect;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;

/** What becomes of results that have come, by whatever way. Thread safe. */
final class ResultIntake {
  private final RunAccount account;
  private final ResultRecorder recorder;

  ResultIntake(RunAccount account, ResultRecorder recorder) {
    this.account = account;
    this.recorder = recorder;
  }

  /**
   * Sorts and writes them.
   *
   * @param replied when the response queue accepted them; this machine's clock, epoch microseconds
   * @param collectBegun when the receive began that brought them; likewise
   * @param collected when it came back; likewise
   */
  void accept(ResultBatch batch, long replied, long collectBegun, long collected) {
    RunAccount.Sorted sorted = account.sort(batch, BundleIds.sequence(batch.bundle()));
    recorder.accept(batch, sorted, replied, collectBegun, collected);
  }
}
