package io.cloudkon.bench;

import io.cloudkon.client.report.RunFacts;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.SystemTime;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * A client that runs one task after the other, each as a run of its own, and in between makes the
 * bare calls of such a task: {@code LonelyLoop QUEUE WORKLOAD ROUNDS}. Prints the medians in
 * milliseconds: from submission to result, by CloudKon and by bare calls; and of the bare calls
 * until everything is deleted.
 */
public final class LonelyLoop {
  private static final int BYTES = 200;

  private LonelyLoop() {}

  public static void main(String[] args) throws InterruptedException {
    int rounds = Integer.parseInt(args[2]);
    double[] ours = new double[rounds];
    double[] bare = new double[rounds];
    double[] bareWhole = new double[rounds];
    SystemTime time = new SystemTime();
    byte[] payload = new byte[BYTES];
    try (AwsCloud cloud = AwsCloud.connect(Set.of(), time);
        RawCalls raw = new RawCalls(args[0])) {
      for (int i = -rounds; i < rounds; i++) {
        int at = Math.max(0, i); // the first half only warms up
        ours[at] = run(cloud, args[0], args[1], time).latencyMillis().p50();
        raw.awaitIdle(); // as our task found it
        RawCalls.LonelyCalls taken = new RawCalls.LonelyCalls();
        long begun = System.nanoTime();
        raw.untilResult(payload, payload, taken);
        bare[at] = (System.nanoTime() - begun) / 1e6;
        raw.afterResult(taken);
        bareWhole[at] = (System.nanoTime() - begun) / 1e6;
      }
    }
    System.out.printf(
        Locale.ROOT, "%.3f %.3f %.3f%n", median(ours), median(bare), median(bareWhole));
  }

  /** Runs a workload file, which must succeed. */
  static RunReport run(AwsCloud cloud, String queue, String file, SystemTime time)
      throws InterruptedException {
    String id = "lonely-" + Long.toHexString(new Random().nextLong());
    RunOptions options = options(id);
    RunFolder folder = RunFolder.choose(id, Optional.of(RunFolder.NONE), false);
    RunIdentity identity = RunIdentity.fresh(queue, id, new Random());
    long begun = time.wallMicros();
    RunStatistics statistics = new RunStatistics(begun, calls -> 0);
    try (Workload workload =
        Workload.open(file, InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      new RunSession(
              cloud.cluster(queue),
              options,
              identity,
              workload,
              statistics,
              time,
              millis -> (millis - time.offsetMillis()) * 1000)
          .run(folder, file);
    }
    if (statistics.count(TaskStatus.SUCCEEDED) != 1) {
      throw new CloudKonException("run %s: its task did not succeed".formatted(id));
    }
    long ended = time.wallMicros();
    return statistics.report(
        new RunFacts(
            id,
            "",
            queue,
            options.consistency(),
            file,
            "",
            1,
            OptionalLong.empty(),
            begun,
            ended,
            Optional.empty()),
        List.of(),
        ended);
  }

  /** The default options. */
  static RunOptions options(String run) {
    return new RunOptions(
        run,
        Consistency.EXACTLY_ONCE,
        Limits.DEFAULT_CAPTURE_BYTES,
        2,
        0,
        0,
        BundlerSettings.DEFAULT,
        CompletenessSettings.DEFAULT,
        LeaseSettings.DEFAULT);
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
