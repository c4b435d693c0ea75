package io.cloudkon.client.plan;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Representatives of many tasks of the same kind and about the same message size. With them,
 * millions of tasks can be simulated without holding their full contents.
 */
final class Prototypes {
  private static final int STEP_BYTES = 16;

  private final List<Work> works = new ArrayList<>();
  private final Map<Key, Integer> numbers = new HashMap<>();

  private record Key(Work bare, int steps) {}

  /** The number of the representative of a task's work. */
  int numberOf(Task task) {
    int bytes = BundleCodec.sizeOf(task);
    Work bare = bare(task.work(), bytes > Limits.TASK_BYTES);
    int rest = Math.max(0, bytes - BundleCodec.sizeOf(new Task(task.ordinal(), "", bare, 0)));
    Key key = new Key(bare, bare instanceof Work.Sleep ? 0 : rest / STEP_BYTES);
    return numbers.computeIfAbsent(
        key,
        k -> {
          works.add(padded(k));
          return works.size() - 1;
        });
  }

  /** The representative with this number. */
  Work work(int number) {
    return works.get(number);
  }

  private static Work bare(Work work, boolean large) {
    return switch (work) {
      case Work.Noop noop -> noop;
      case Work.Sleep sleep -> sleep;
      case Work.Exec exec ->
          large ? stored(exec) : new Work.JavaCall("exec " + GivenTime.name(exec), List.of());
      case Work.JavaCall java ->
          large ? stored(java) : new Work.JavaCall(java.handler(), List.of());
      case Work.Stored stored -> stored;
      case Work.Hpc hpc -> new Work.Hpc(hpc.ranks(), hpc.mpi(), bare(hpc.each(), large));
    };
  }

  private static Work stored(Work work) {
    return new Work.Stored(work.kind(), new Content("0".repeat(64), Limits.BLOB_BYTES, ""));
  }

  private static Work padded(Key key) {
    return key.bare() instanceof Work.JavaCall call && key.steps() > 0
        ? new Work.JavaCall(call.handler(), List.of("x".repeat(key.steps() * STEP_BYTES)))
        : key.bare();
  }
}
