package io.cloudkon.bench;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import java.util.ArrayList;
import java.util.List;

/** The sizes of the messages of a bundle of {@code sleep 0}, in bytes. */
final class SleepBytes {
  private static final String RUN = "20261128-120000-abc123";
  private static final String EPOCH = "0123abcd";
  private static final String BUNDLE = BundleIds.of(RUN, EPOCH, 0);

  /** As large as the microseconds in messages are. */
  private static final long NOW = 1_700_000_000_000_000L;

  private static final byte[] NOTHING = {};

  private SleepBytes() {}

  /** The payload that the client sends. */
  static int request(int tasks) {
    List<Task> all = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      all.add(new Task(i, Integer.toString(i + 1), new Work.Sleep(0), 0));
    }
    BundleHeader header =
        new BundleHeader(
            RUN,
            EPOCH,
            BUNDLE,
            Names.response("bench", EPOCH),
            Consistency.EXACTLY_ONCE,
            Limits.DEFAULT_CAPTURE_BYTES,
            NOW,
            NOW,
            0);
    return BundleCodec.encode(new Bundle(header, all)).length;
  }

  /** The payload that the worker sends back. */
  static int result(int tasks) {
    List<TaskResult> all = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      all.add(
          new TaskResult(
              i,
              Integer.toString(i + 1),
              TaskStatus.SUCCEEDED,
              0,
              NOTHING,
              0,
              NOTHING,
              0,
              NOTHING,
              0,
              "",
              NOW + i,
              NOW + i,
              1));
    }
    ResultBatch batch =
        new ResultBatch(
            RUN,
            EPOCH,
            BUNDLE,
            new ResultBatch.WorkerId("worker-host-12345-abcdef", 4, 1),
            1,
            EPOCH,
            new ResultBatch.BundleStamps(NOW, NOW, NOW, NOW, NOW),
            all,
            List.of(),
            "");
    return ResultCodec.encode(batch).length;
  }
}
