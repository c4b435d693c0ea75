package io.cloudkon.bench;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.SystemTime;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients that each run one batch of tasks after the other, each batch as a run of its own: {@code
 * BatchLoop QUEUE WORKLOAD FOLDER ROUNDS CLIENTS WAY}. The results of each batch go to a folder of
 * its own in FOLDER, except for the first third, which warms up. After that, a single caller makes
 * the bare calls between a task's submission and its result; their mean, in milliseconds, is
 * printed.
 */
public final class BatchLoop {
  private static final int BARE_ROUNDS = 30;
  private static final int BYTES = 200;

  private final AwsCloud cloud;
  private final String queue;
  private final String workload;
  private final Way way;
  private final SystemTime time;

  private BatchLoop(AwsCloud cloud, String queue, String workload, Way way, SystemTime time) {
    this.cloud = cloud;
    this.queue = queue;
    this.workload = workload;
    this.way = way;
    this.time = time;
  }

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    Path folder = Path.of(args[2]);
    int rounds = Integer.parseInt(args[3]);
    int clients = Integer.parseInt(args[4]);
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = AwsCloud.connect(Set.of(), time);
        RawCalls raw = new RawCalls(args[0]);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      BatchLoop loop = new BatchLoop(cloud, args[0], args[1], Way.valueOf(args[5]), time);
      List<Future<?>> all = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        Path results = folder.resolve(Integer.toString(client));
        all.add(
            threads.submit(() -> {
              loop.client(results, rounds);
              return null;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
      System.out.printf(Locale.ROOT, "%.3f%n", bareMillis(raw));
    }
  }

  private static double bareMillis(RawCalls raw) {
    byte[] payload = new byte[BYTES];
    double sum = 0;
    for (int i = -BARE_ROUNDS; i < BARE_ROUNDS; i++) {
      RawCalls.LonelyCalls taken = new RawCalls.LonelyCalls();
      long begun = System.nanoTime();
      raw.untilResult(payload, payload, taken);
      sum += i < 0 ? 0 : (System.nanoTime() - begun) / 1e6;
      raw.afterResult(taken);
    }
    return sum / BARE_ROUNDS;
  }

  private void client(Path results, int rounds) throws InterruptedException {
    for (int round = -Math.max(1, rounds / 2); round < rounds; round++) {
      String out = round < 0 ? RunFolder.NONE : results.resolve(Integer.toString(round)).toString();
      batch(out);
    }
  }

  private void batch(String out) throws InterruptedException {
    String id = "batch-" + Long.toHexString(new Random().nextLong());
    RunStatistics statistics = new RunStatistics(time.wallMicros(), calls -> 0);
    try (Workload tasks =
        Workload.open(workload, InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      new RunSession(
              cloud.cluster(queue),
              options(id),
              RunIdentity.fresh(queue, id, new Random()),
              tasks,
              statistics,
              time,
              millis -> (millis - time.offsetMillis()) * 1000)
          .run(RunFolder.choose(id, Optional.of(out), false), workload);
    }
    if (statistics.count(TaskStatus.SUCCEEDED) != Limits.BATCH) {
      throw new CloudKonException("run %s: not every task succeeded".formatted(id));
    }
  }

  /** The options of a run; one thread, as published. */
  private RunOptions options(String run) {
    boolean original = way == Way.ORIGINAL;
    Consistency mode = original ? Consistency.AT_MOST_ONCE : Consistency.EXACTLY_ONCE;
    BundlerSettings usual = BundlerSettings.DEFAULT;
    return new RunOptions(
        run,
        mode,
        original ? ClaimScope.asPublished(mode) : ClaimScope.BUNDLE,
        Limits.DEFAULT_CAPTURE_BYTES,
        1,
        0,
        0,
        new BundlerSettings(
            original ? 1 : usual.fixedTasks(), usual.targetMillis(), usual.maxBytes(), true),
        CompletenessSettings.DEFAULT,
        LeaseSettings.DEFAULT);
  }
}
