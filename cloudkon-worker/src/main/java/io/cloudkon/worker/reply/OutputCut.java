package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskResult;
import java.util.stream.IntStream;

/**
 * Cuts a result's outputs, the longest first. Their full lengths stay in the result and show the
 * cut.
 */
final class OutputCut {
  private OutputCut() {}

  /** The result in at most that many bytes, as far as cutting outputs can achieve it. */
  static TaskResult to(int mostBytes, TaskResult result) {
    int stdout = result.stdoutKept();
    int stderr = result.stderrKept();
    int outputs = stdout + stderr + result.output().length;
    int room = Math.max(0, mostBytes - (ResultCodec.sizeOf(result) - outputs));
    int limit = limit(room, stdout, stderr, result.output().length);
    return new TaskResult(
            result.ordinal(),
            result.id(),
            result.status(),
            result.exitCode(),
            Spools.head(result.stdout(), result.spools().stdout(), limit),
            result.stdoutBytes(),
            Spools.head(result.stderr(), result.spools().stderr(), limit),
            result.stderrBytes(),
            Outputs.head(result.output(), limit),
            result.outputBytes(),
            result.error(),
            result.startedMicros(),
            result.finishedMicros(),
            result.tries())
        .with(result.usage())
        .with(result.files());
  }

  /** The length to which each output is cut so that all of them fit; short ones stay whole. */
  private static int limit(int room, int... lengths) {
    int[] ascending = IntStream.of(lengths).sorted().toArray();
    int left = room;
    for (int i = 0; i < ascending.length; i++) {
      int fair = left / (ascending.length - i);
      if (ascending[i] > fair) {
        return fair;
      }
      left -= ascending[i];
    }
    return Integer.MAX_VALUE;
  }
}
