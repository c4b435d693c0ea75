package io.cloudkon.client.send;

import io.cloudkon.client.run.SendingAccount;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks from the workload and groups them into bundles as the bundler plans. One bundle is
 * made at a time, so that its tasks have consecutive ordinals. The account is locked only for the
 * plan and for the bundle's registration, so that a workload that is slow to read delays no
 * results. Work that is too large for a message is stored after that, so that an upload does not
 * delay other bundles either.
 */
final class BundleMaker {
  /**
   * The most work that one bundle holds in memory until it is stored, in bytes; at least one task.
   */
  private static final long HELD_BYTES = 16L * 1024 * 1024;

  /** A finished bundle. */
  record Made(SentBundle bundle, List<Task> tasks, long estimatedMicros) {}

  /** A bundle whose large tasks and files are not stored yet. */
  private record Planned(Made made, boolean anyStored) {}

  private final TaskReader reader;
  private final SendingAccount account;
  private final TimeSource time;
  private final LongSupplier allTasks;
  private final TaskDefaults defaults;
  private final LargeTasks large;
  private final int headerBytes;

  /** Held by the thread that makes a bundle. */
  private final ReentrantLock turn = new ReentrantLock();

  /** The task that was read last; null at the end. */
  private @Nullable Task next;

  /** Whether {@link #next} is in no bundle yet. */
  private boolean ahead;

  private volatile boolean reading;

  /**
   * Creates a maker that has read nothing yet.
   *
   * @param allTasks the number of the run's tasks; negative if unknown
   * @param defaults for values that a task does not set
   * @param large stores work that is too large for a message
   * @param headerBytes the size that the shipped contents and the collect rule add to each message,
   *     in bytes
   */
  BundleMaker(
      TaskReader reader,
      SendingAccount account,
      TimeSource time,
      LongSupplier allTasks,
      TaskDefaults defaults,
      LargeTasks large,
      int headerBytes) {
    this.reader = reader;
    this.account = account;
    this.time = time;
    this.allTasks = allTasks;
    this.defaults = defaults;
    this.large = large;
    this.headerBytes = headerBytes;
  }

  /**
   * The next bundle; null at the end of the workload. Waits while nothing may be sent, and until
   * work that is too large for a message is stored. Bundles that are made concurrently may finish
   * in any order; their ordinals follow the order of the workload.
   *
   * @throws io.cloudkon.core.error.CloudKonException if a large task cannot be stored
   */
  @Nullable Made make() throws InterruptedException {
    Planned planned = plan();
    if (planned == null) {
      return null;
    }
    Made made = planned.made();
    if (!planned.anyStored()) {
      return made;
    }
    // The uploads of the tasks take the time here, not the sends of the bundles.
    account.heldBack();
    return new Made(made.bundle(), large.storeAll(made.tasks()), made.estimatedMicros());
  }

  private @Nullable Planned plan() throws InterruptedException {
    turn.lockInterruptibly();
    try {
      if (!ahead) {
        next = read();
        ahead = true;
      }
      Task first = next;
      return first == null ? null : make(first, account.awaitPlan(first.work(), allTasks));
    } finally {
      turn.unlock();
    }
  }

  private Planned make(Task first, BundlePlan plan) throws InterruptedException {
    long submitted = time.wallMicros();
    long offset = reader.offset();
    long line = reader.line();
    List<Task> tasks = new ArrayList<>();
    Sorts sorts = new Sorts(account);
    long room = room(plan.bytes());
    long bytes = 0;
    long held = 0;
    boolean anyStored = false;
    double micros = 0;
    double estimate = 0;
    Task task = first;
    while (task != null) {
      int size = BundleCodec.sizeOf(task);
      boolean stored = large.isLarge(size);
      long more = stored ? LargeTasks.storedSize(task) : size;
      long holds = stored ? size : 0;
      double takes = sorts.micros(task.work());
      double known = Double.isNaN(takes) ? 0 : takes;
      boolean full =
          bytes + more > room
              || (stored && held + holds > HELD_BYTES)
              || micros + known > plan.micros();
      boolean apart = task.work() instanceof Work.Hpc; // a job is a bundle of its own
      if (!tasks.isEmpty() && (full || apart)) {
        break;
      }
      tasks.add(task);
      sorts.add(task.work());
      bytes += more;
      held += holds;
      anyStored |= large.needsStore(task, size);
      micros += known;
      estimate += takes;
      boolean starved = !reader.ready();
      if (starved) {
        account.heldBack();
      }
      if (starved || tasks.size() >= plan.tasks()) {
        // The next task is read only when it is needed, because a stream may take long to deliver
        // it.
        ahead = false;
        break;
      }
      task = read();
    }
    next = ahead ? task : null;
    int ranks = first.work() instanceof Work.Hpc job ? job.ranks() : 0;
    SentBundle bundle = register(tasks.size(), ranks, offset, line, sorts, submitted, estimate);
    Made made = new Made(bundle, tasks, Double.isNaN(estimate) ? 0 : (long) estimate);
    return new Planned(made, anyStored);
  }

  /**
   * The room for tasks in a message. A message that also lists shipped files may exceed the plan if
   * the list takes more than half of it.
   */
  private long room(int planned) {
    return 2 * headerBytes <= planned ? planned - headerBytes : planned;
  }

  private SentBundle register(
      int tasks, int ranks, long offset, long line, Sorts sorts, long submitted, double estimate)
      throws InterruptedException {
    return account.make(
        tasks,
        ranks > 0,
        estimate,
        (sequence, firstOrdinal) ->
            new SentBundle(
                sequence,
                firstOrdinal,
                tasks,
                offset,
                line,
                sorts.keys(),
                sorts.sleepMicros(),
                submitted,
                0,
                0,
                ranks));
  }

  /**
   * Reads the next task. May wait as long as a person takes to type, so it holds no lock that
   * others need.
   */
  private @Nullable Task read() {
    reading = true;
    try {
      Task task = reader.next();
      return task == null ? null : defaults.apply(task);
    } finally {
      reading = false;
    }
  }

  /** Whether a thread is reading the workload. */
  boolean isReading() {
    return reading;
  }

  /** Makes no more bundles. */
  void close() {
    account.close();
  }
}
