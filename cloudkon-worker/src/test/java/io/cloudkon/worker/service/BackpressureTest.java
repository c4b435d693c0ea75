package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BackpressureTest {
  private static final int SLOTS = 4;
  private static final int BYTES = 1_000;
  private final List<BundleInHand> inHand = new ArrayList<>();
  private long free = Long.MAX_VALUE / 2;
  private final Backpressure pressure = new Backpressure(SLOTS, 10, 4 * BYTES, () -> free, inHand);

  private BundleInHand bundle() {
    return bundle(Work.Noop.INSTANCE);
  }

  private BundleInHand bundle(Work work) {
    BundleHeader header =
        new BundleHeader("run", "e", "run/e/0", "Q-r", Consistency.EXACTLY_ONCE, 1024, 0, 0, 0);
    List<Task> tasks = List.of(new Task(0, "a", work, 0), new Task(1, "b", work, 0));
    BundleInHand bundle = new BundleInHand(0, new Bundle(header, tasks), "h", 1, "n", 0, 0);
    inHand.add(bundle);
    return bundle;
  }

  private static TaskResult result(int ordinal) {
    byte[] some = new byte[BYTES / 2];
    byte[] none = {};
    return new TaskResult(
        ordinal,
        "t",
        TaskStatus.SUCCEEDED,
        0,
        some,
        some.length,
        some,
        some.length,
        none,
        0,
        "",
        1,
        2,
        1,
        List.of());
  }

  @Test
  void many_bundles_are_too_large() {
    for (int i = 0; i < SLOTS + 10; i++) {
      bundle();
    }
    assertThat(pressure.large()).isTrue();
    assertThat(pressure.tooLarge()).isFalse();

    bundle();
    assertThat(pressure.tooLarge()).isTrue();
  }

  @Test
  void few_bundles_with_large_results_are_too_large_until_those_are_sent() {
    BundleInHand first = bundle();
    BundleInHand second = bundle();
    BundleInHand third = bundle();
    first.result(0, result(0));
    first.result(1, result(1));
    assertThat(pressure.large()).isFalse();

    second.result(0, result(0));
    second.result(0, result(0)); // another try: the first one's result is gone
    assertThat(first.heldBytes() + second.heldBytes()).isEqualTo(3 * BYTES);
    assertThat(pressure.large()).isTrue();
    assertThat(pressure.tooLarge()).isFalse();

    second.result(1, result(1));
    third.result(0, result(0));
    assertThat(pressure.tooLarge()).isTrue();

    first.forget(Positions.range(0, 2));
    assertThat(first.heldBytes()).isZero();
    assertThat(pressure.tooLarge()).isFalse();
  }

  /** Their bundles stay in memory until the response queue takes the results. */
  @Test
  void inputs_of_tasks_whose_results_wait_count_and_those_of_others_do_not() {
    inputCounts(new Work.Exec(List.of("wc"), null, Map.of(), new byte[3 * BYTES]));
  }

  @Test
  void environment_of_a_task_counts_as_its_input() {
    String half = "x".repeat(3 * BYTES / 2);
    inputCounts(new Work.Exec(List.of("env"), null, Map.of(half, half), new byte[0]));
  }

  private void inputCounts(Work work) {
    BundleInHand bundle = bundle(work);
    assertThat(pressure.large()).as("tasks that run").isFalse();

    bundle.result(0, result(0));
    assertThat(pressure.large()).isTrue();
    assertThat(pressure.tooLarge()).isTrue();

    bundle.forget(Positions.range(0, 1));
    assertThat(pressure.large()).isFalse();
  }

  /** A slow link: the disk was full of outputs that waited to be sent, and the worker sick. */
  @Test
  void outputs_on_disk_take_a_quarter_of_what_is_free() {
    BundleInHand bundle = bundle();
    free = 7 * OnDisk.LENGTH + 1;
    bundle.result(0, onDisk(0));
    assertThat(pressure.large()).isFalse();

    free = 6 * OnDisk.LENGTH; // other programs write as well
    assertThat(pressure.large()).isTrue();
    assertThat(pressure.tooLarge()).isFalse();

    bundle.result(1, onDisk(1));
    free = 5 * OnDisk.LENGTH;
    assertThat(pressure.tooLarge()).isTrue();

    bundle.forget(Positions.range(0, 2));
    assertThat(pressure.large()).isFalse();
  }

  private static TaskResult onDisk(int ordinal) {
    return result(ordinal).with(new Spools(new OnDisk(), null));
  }

  /** An output on disk. */
  private static final class OnDisk implements Spooled {
    static final int LENGTH = 1_000_000;

    @Override
    public int length() {
      return LENGTH;
    }

    @Override
    public ByteBuffer bytes() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path folder() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void release() {
      // nothing is there
    }
  }
}
