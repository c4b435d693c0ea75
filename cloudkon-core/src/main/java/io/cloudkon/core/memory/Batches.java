package io.cloudkon.core.memory;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;

/** Checks the rules that every batch call must meet. */
final class Batches {
  private Batches() {}

  static void check(List<?> batch) {
    if (batch.isEmpty() || batch.size() > Limits.BATCH) {
      throw new IllegalArgumentException(
          "a batch of %d, expected 1 to %d".formatted(batch.size(), Limits.BATCH));
    }
  }

  static void checkMax(int max) {
    if (max < 1 || max > Limits.BATCH) {
      throw new IllegalArgumentException(
          "a receive of %d, expected 1 to %d".formatted(max, Limits.BATCH));
    }
  }

  static boolean fits(OutgoingMessage message) {
    return message.countedBytes() <= Limits.MESSAGE_BYTES;
  }

  /**
   * Checks a batch to be sent.
   *
   * @return the messages that are too large ever to be accepted
   * @throws CloudKonException if the others are too large together
   */
  static List<BatchFailure> checkSizes(String queue, List<OutgoingMessage> batch) {
    check(batch);
    long total = 0;
    List<BatchFailure> failures = new ArrayList<>(0);
    for (int i = 0; i < batch.size(); i++) {
      int bytes = batch.get(i).countedBytes();
      if (bytes > Limits.MESSAGE_BYTES) {
        String reason = "%d bytes, at most %d".formatted(bytes, Limits.MESSAGE_BYTES);
        failures.add(new BatchFailure(i, reason, false));
      } else {
        total += bytes;
      }
    }
    if (total > Limits.MESSAGE_BYTES) {
      throw new CloudKonException(
          "queue '%s': a batch of %d bytes, at most %d in one call"
              .formatted(queue, total, Limits.MESSAGE_BYTES));
    }
    return failures;
  }
}
