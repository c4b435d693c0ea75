package io.cloudkon.simulator.chaos;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.load.Tasks;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A few tasks of any kind. They take from microseconds to seconds, stated by their argument or to
 * be learned. Some fail before they succeed, and occasionally one kills its worker.
 */
final class ChaosTasks implements Tasks {
  private static final int MOST_RETRIES = 2;

  private final Task[] tasks;
  private final long[] micros;
  private final int[] failures;
  private final boolean[] poison;
  private final int[] bytes;

  private ChaosTasks(int size) {
    tasks = new Task[size];
    micros = new long[size];
    failures = new int[size];
    poison = new boolean[size];
    bytes = new int[size];
  }

  static ChaosTasks of(SplittableRandom random, Consistency consistency) {
    int size = random.nextInt(8) == 0 ? 1 + random.nextInt(4) : 10 + random.nextInt(111);
    ChaosTasks all = new ChaosTasks(size);
    boolean uniform = random.nextInt(4) == 0;
    boolean large = random.nextInt(8) == 0;
    boolean flaky = random.nextInt(3) == 0;
    int slowTasks = random.nextInt(12);
    int poisonAt = random.nextInt(10) == 0 ? random.nextInt(size) : -1;
    for (int i = 0; i < size; i++) {
      long millis = uniform ? 20 : millis(random, slowTasks);
      boolean known = random.nextInt(3) == 0;
      all.failures[i] = flaky && random.nextInt(8) == 0 ? 1 + random.nextInt(4) : 0;
      int retries =
          all.failures[i] > 0 && consistency != Consistency.AT_MOST_ONCE
              ? random.nextInt(MOST_RETRIES + 1)
              : 0;
      Work work =
          known
              ? new Work.Sleep(millis)
              : new Work.JavaCall("h" + random.nextInt(2), List.of(Integer.toString(i)));
      all.tasks[i] = new Task(i, "", work, 0, retries);
      all.micros[i] = millis * 1000 + random.nextInt(1000);
      // At-least-once counts only receives, and would let such a task kill a hundred workers.
      all.poison[i] = i == poisonAt && consistency.claims();
      all.bytes[i] = large && random.nextInt(4) == 0 ? 20_000 + random.nextInt(1_500_000) : 64;
    }
    return all;
  }

  private static long millis(SplittableRandom random, int slowTasks) {
    int dice = random.nextInt(100);
    if (dice < 64) {
      return random.nextInt(40);
    }
    if (dice < 100 - slowTasks) {
      return random.nextInt(600);
    }
    return 300L + random.nextInt(5_700);
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
    return poison[ordinal];
  }

  @Override
  public int resultBytes(int ordinal) {
    return bytes[ordinal];
  }

  /** The time of all tasks one after the other, each tried as often as allowed. */
  long workMicros() {
    long sum = 0;
    for (int i = 0; i < tasks.length; i++) {
      sum += micros[i] * (1 + MOST_RETRIES);
    }
    return sum;
  }
}
