package io.cloudkon.bench.micro;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The nanoseconds per task of the code that each task passes through, for bundles of a thousand
 * tasks.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotPath {
  private static final int TASKS = 1000;
  private static final String RUN = "run";
  private static final String EPOCH = "epoch";
  private static final byte[] NOTHING = {};

  private final Bundle bundle = bundle();
  private final byte[] encodedBundle = BundleCodec.encode(bundle);
  private final ResultBatch results = results();
  private final byte[] encodedResults = ResultCodec.encode(results);

  private static Bundle bundle() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(
          new Task(
              i, Integer.toString(i + 1), new Work.JavaCall("sha256", List.of("task-" + i)), 0));
    }
    BundleHeader header =
        new BundleHeader(
            RUN,
            EPOCH,
            BundleIds.of(RUN, EPOCH, 0),
            "q-response-1",
            Consistency.EXACTLY_ONCE,
            1024,
            1,
            1,
            0);
    return new Bundle(header, tasks);
  }

  private static ResultBatch results() {
    List<TaskResult> results = new ArrayList<>();
    byte[] output = new byte[64];
    java.util.Arrays.fill(output, (byte) 'f');
    for (int i = 0; i < TASKS; i++) {
      results.add(
          new TaskResult(
              i,
              Integer.toString(i + 1),
              TaskStatus.SUCCEEDED,
              0,
              NOTHING,
              0,
              NOTHING,
              0,
              output,
              output.length,
              "",
              1000L + i,
              1005L + i,
              1));
    }
    return new ResultBatch(
        RUN,
        EPOCH,
        BundleIds.of(RUN, EPOCH, 0),
        new ResultBatch.WorkerId("worker", 4, 1),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        results,
        List.of(),
        "");
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public byte[] encodeBundle() {
    return BundleCodec.encode(bundle);
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public int sizeOfTasks() {
    int bytes = 0;
    for (Task task : bundle.tasks()) {
      bytes += BundleCodec.sizeOf(task);
    }
    return bytes;
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public Bundle decodeBundle() throws MalformedMessageException {
    return BundleCodec.decode(encodedBundle);
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public byte[] encodeResults() {
    return ResultCodec.encode(results);
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public ResultBatch decodeResults() throws MalformedMessageException {
    return ResultCodec.decode(encodedResults);
  }

  /** The bookkeeping of a client for one bundle. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public int completeness() {
    Moment now = new Moment(0, 0);
    CompletenessMachine machine =
        new CompletenessMachine(RUN, EPOCH, true, CompletenessSettings.DEFAULT);
    machine.sent(machine.bundle(TASKS), now);
    for (TaskResult result : results.results()) {
      machine.offer(results.bundle(), result.ordinal(), false);
    }
    return machine.finished();
  }
}
