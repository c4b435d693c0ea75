package io.cloudkon.client.workload;

import java.io.Closeable;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ids of tasks that arrive one by one; a repeated id is detected at once. A task without a
 * given id has its number as its id. Takes 32 to 64 bytes for each task with a given id and a bit
 * for each other task. Not thread safe.
 */
final class TaskIds implements Closeable {
  private final DuplicateIds known;
  private final BitSet numbered = new BitSet();
  private final Set<String> announced = new HashSet<>();
  private boolean numbersGiven;

  /**
   * Creates an empty set of ids.
   *
   * @param lookup finds an id by the offset of its line
   */
  TaskIds(DuplicateIds.Lookup lookup) {
    this.known = new DuplicateIds(Integer.MAX_VALUE, lookup);
  }

  /**
   * Checks that no task has the id of a new task, and remembers the id until {@link #forget}.
   *
   * @param given the id; null if the task has none
   * @param number the task's number
   */
  void announce(@Nullable String given, long number) throws BadLineException {
    String id = given == null ? Long.toString(number) : given;
    boolean repeated =
        announced.contains(id)
            || (given == null ? numbersGiven && known.has(id) : isNumber(given) || known.has(id));
    if (repeated) {
      throw new BadLineException(
          "the id " + Excerpt.quote(id) + " is also that of an earlier task",
          "expected each id once (a task without id has its number as id)");
    }
    announced.add(id);
  }

  private boolean isNumber(String id) {
    long number = IdCheck.lineNumberIn(id);
    return number <= Integer.MAX_VALUE && numbered.get((int) number);
  }

  /** Forgets the announced ids, whose tasks were added or will not come. */
  void forget() {
    announced.clear();
  }

  /** Adds the id of an announced task, whose line begins at that offset. */
  void add(String id, boolean given, long number, long offset) {
    if (given) {
      numbersGiven |= IdCheck.lineNumberIn(id) != Long.MAX_VALUE;
    } else if (number <= Integer.MAX_VALUE) {
      numbered.set((int) number);
    }
    if (given || number > Integer.MAX_VALUE) {
      var unused = known.add(id, offset);
    }
  }

  @Override
  public void close() {
    known.close();
  }
}
