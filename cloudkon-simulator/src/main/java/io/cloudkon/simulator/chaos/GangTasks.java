package io.cloudkon.simulator.chaos;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.load.Tasks;
import java.util.SplittableRandom;

/** HPC jobs of any size that fits, mixed with tasks of one slot. Some fail; a few kill a worker. */
final class GangTasks implements Tasks {
  private static final int MOST_RETRIES = 2;

  private final Task[] tasks;
  private final long[] micros;
  private final int[] failures;
  private final int poison;

  private GangTasks(int size, int poison) {
    tasks = new Task[size];
    micros = new long[size];
    failures = new int[size];
    this.poison = poison;
  }

  /**
   * Draws the tasks.
   *
   * @param slots the number of slots of the whole fleet
   */
  static GangTasks of(SplittableRandom random, Consistency consistency, int slots) {
    int size = 4 + random.nextInt(25);
    GangTasks all = new GangTasks(size, random.nextInt(12) == 0 ? random.nextInt(size) : -1);
    int share = 2 + random.nextInt(5);
    boolean slow = random.nextInt(3) == 0;
    boolean flaky = random.nextInt(4) == 0;
    int oneSize = random.nextInt(3) == 0 ? 1 + random.nextInt(slots) : 0;
    for (int i = 0; i < size; i++) {
      boolean job = random.nextInt(6) < share;
      long millis = job ? millis(random, slow) : random.nextInt(600);
      int ranks = oneSize > 0 ? oneSize : 1 + random.nextInt(slots);
      all.failures[i] = flaky && random.nextInt(5) == 0 ? 1 + random.nextInt(3) : 0;
      int retries =
          all.failures[i] > 0 && consistency != Consistency.AT_MOST_ONCE
              ? random.nextInt(MOST_RETRIES + 1)
              : 0;
      Work work = new Work.Sleep(millis);
      all.tasks[i] = new Task(i, "", job ? new Work.Hpc(ranks, false, work) : work, 0, retries);
      all.micros[i] = millis * 1000 + random.nextInt(1000);
    }
    return all;
  }

  private static long millis(SplittableRandom random, boolean slow) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(20);
      case 1, 2 -> random.nextInt(1_000);
      default -> slow ? random.nextInt(25_000) : random.nextInt(3_000);
    };
  }

  @Override
  public int size() {
    return tasks.length;
  }

  @Override
  public Task task(int ordinal) {
    return tasks[ordinal];
  }

  @Override
  public long micros(int ordinal) {
    return micros[ordinal];
  }

  @Override
  public int failures(int ordinal) {
    return failures[ordinal];
  }

  @Override
  public boolean poison(int ordinal) {
    return ordinal == poison;
  }

  /** The time of all tasks one after the other, each tried as often as allowed. */
  long workMicros() {
    long sum = 0;
    for (long one : micros) {
      sum += one * (1 + MOST_RETRIES);
    }
    return sum;
  }
}
