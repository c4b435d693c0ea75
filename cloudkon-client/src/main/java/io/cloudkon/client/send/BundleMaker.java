package io.cloudkon.client.send;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.durations.Durations;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks from the workload and groups them as the bundler plans. One bundle at a time, under
 * the account's lock; what is too large for a message is stored after that, outside of the lock, so
 * that an upload holds up neither results nor other bundles.
 */
final class BundleMaker {
  /** So many sorts of tasks of one bundle are learned of. */
  private static final int SORTS = 4;

  /** How much work that is to be stored one bundle holds in memory, in bytes; one task at least. */
  private static final long HELD_BYTES = 16L * 1024 * 1024;

  /** A bundle that was made. */
  record Made(SentBundle bundle, List<Task> tasks, long estimatedMicros) {}

  /** A bundle of which no large task is stored yet. */
  private record Planned(Made made, boolean anyLarge) {}

  private final TaskReader reader;
  private final RunAccount account;
  private final TimeSource time;
  private final LongSupplier allTasks;
  private final TaskDefaults defaults;
  private final LargeTasks large;
  private @Nullable Task next;
  private boolean begun;

  /**
   * A maker that has read nothing.
   *
   * @param allTasks how many tasks the run has; negative if unknown
   * @param defaults for tasks that say nothing themselves
   * @param large takes what is too large for a message
   */
  BundleMaker(
      TaskReader reader,
      RunAccount account,
      TimeSource time,
      LongSupplier allTasks,
      TaskDefaults defaults,
      LargeTasks large) {
    this.reader = reader;
    this.account = account;
    this.time = time;
    this.allTasks = allTasks;
    this.defaults = defaults;
    this.large = large;
  }

  /**
   * The next bundle; null at the end of the workload. Waits as long as nothing is to be sent, and
   * until what is too large for a message is stored. Bundles that are made at the same time may be
   * ready in any order; their ordinals are given in the workload's.
   *
   * @throws io.cloudkon.core.error.CloudKonException if a large task cannot be stored
   */
  @Nullable Made make() throws InterruptedException {
    Planned planned = plan();
    if (planned == null) {
      return null;
    }
    Made made = planned.made();
    return planned.anyLarge()
        ? new Made(made.bundle(), large.storeAll(made.tasks()), made.estimatedMicros())
        : made;
  }

  private @Nullable Planned plan() throws InterruptedException {
    account.lock();
    try {
      if (!begun) {
        begun = true;
        next = read();
      }
      while (true) {
        // Asked anew after each wait: another thread may have taken that task meanwhile.
        Task first = next;
        if (first == null) {
          return null;
        }
        BundlePlan plan = account.plan(first.work(), remaining());
        if (!plan.waits()) {
          return make(first, plan);
        }
        account.awaitChange();
      }
    } finally {
      account.unlock();
    }
  }

  private long remaining() {
    long all = allTasks.getAsLong();
    return all < 0 ? Long.MAX_VALUE : all - account.nextOrdinal();
  }

  private Planned make(Task first, BundlePlan plan) {
    long submitted = time.wallMicros();
    long offset = reader.offset();
    long line = reader.line();
    List<Task> tasks = new ArrayList<>();
    List<String> sorts = new ArrayList<>(1);
    String lastSort = "";
    long sleep = 0;
    long bytes = 0;
    long held = 0;
    double micros = 0;
    double estimate = 0;
    Task task = first;
    while (task != null) {
      int size = BundleCodec.sizeOf(task);
      boolean stored = LargeTasks.isLarge(size);
      long more = stored ? LargeTasks.storedSize(task) : size;
      long holds = stored ? size : 0;
      double takes = account.micros(task.work());
      double known = Double.isNaN(takes) ? 0 : takes;
      boolean full =
          tasks.size() >= plan.tasks()
              || bytes + more > plan.bytes()
              || (stored && held + holds > HELD_BYTES)
              || micros + known > plan.micros();
      if (!tasks.isEmpty() && full) {
        break;
      }
      tasks.add(task);
      bytes += more;
      held += holds;
      micros += known;
      estimate += takes;
      if (task.work() instanceof Work.Sleep s) {
        sleep += s.millis() * 1000;
      } else {
        String sort = Durations.key(task.work());
        if (!sort.equals(lastSort) && !sorts.contains(sort)) {
          sorts.add(sort);
        }
        lastSort = sort;
      }
      task = read();
    }
    next = task;
    int firstOrdinal = account.nextOrdinal();
    int sequence = account.bundle(tasks.size());
    SentBundle bundle =
        new SentBundle(
            sequence,
            firstOrdinal,
            tasks.size(),
            offset,
            line,
            List.copyOf(sorts.subList(0, Math.min(SORTS, sorts.size()))),
            sleep,
            submitted,
            0,
            0);
    account.made(bundle);
    Made made = new Made(bundle, tasks, Double.isNaN(estimate) ? 0 : (long) estimate);
    return new Planned(made, held > 0);
  }

  private @Nullable Task read() {
    Task task = reader.next();
    return task == null ? null : defaults.apply(task);
  }
}
