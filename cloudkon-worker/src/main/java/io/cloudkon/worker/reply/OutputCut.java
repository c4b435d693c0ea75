package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskResult;
import java.util.stream.IntStream;

/**
 * Cuts a result's outputs, the longest first. Their full lengths stay in the result and show the
 * cut, except those of a job's ranks, which have none.
 */
final class OutputCut {
  private OutputCut() {}

  /** The result in at most that many bytes, as far as cutting outputs can achieve it. */
  static TaskResult to(int mostBytes, TaskResult result) {
    int[] lengths =
        IntStream.concat(
                IntStream.of(result.stdoutKept(), result.stderrKept(), result.output().length),
                result.ranks().stream()
                    .flatMapToInt(rank -> IntStream.of(rank.stdout().length, rank.stderr().length)))
            .toArray();
    int outputs = IntStream.of(lengths).sum();
    int limit = limit(Math.max(0, mostBytes - (ResultCodec.sizeOf(result) - outputs)), lengths);
    return result.withOutputs(
        Spools.head(result.stdout(), result.spools().stdout(), limit),
        Spools.head(result.stderr(), result.spools().stderr(), limit),
        Outputs.head(result.output(), limit),
        result.ranks().stream().map(rank -> cut(rank, limit)).toList());
  }

  private static RankResult cut(RankResult rank, int limit) {
    return new RankResult(
        rank.rank(),
        rank.worker(),
        rank.exitCode(),
        Outputs.head(rank.stdout(), limit),
        Outputs.head(rank.stderr(), limit));
  }

  /** The length to which each output is cut so that all of them fit; short ones stay whole. */
  private static int limit(int room, int[] lengths) {
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
