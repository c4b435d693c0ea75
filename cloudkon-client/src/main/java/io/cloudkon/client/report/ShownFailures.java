package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The few failures that the short report shows: different ones, as far as there are any, and
 * otherwise the first of the workload. Two are alike if their statuses and errors are equal. Those
 * without standard error are shown once, with their number. Not thread safe.
 */
final class ShownFailures {
  private static final int MOST = 3;

  /** In the order of the workload. */
  private final List<Shown> shown = new ArrayList<>(MOST);

  /**
   * A failure that is shown.
   *
   * @param index its task's position in the workload
   */
  private record Shown(int index, TaskFailure failure) {

    boolean isLike(TaskStatus status, String error) {
      return failure.status() == status && failure.error().equals(error);
    }

    /** The same failure, of one more task; shows the earlier task. */
    Shown and(int other, String task) {
      return other < index
          ? new Shown(other, failure.again(task))
          : new Shown(index, failure.again(failure.task()));
    }
  }

  /**
   * Counts a result without standard error whose like is shown already; returns whether that was
   * done, so that it needs no failure of its own.
   */
  boolean counts(int index, String task, TaskStatus status, String error) {
    for (int i = 0; i < shown.size(); i++) {
      Shown other = shown.get(i);
      if (other.isLike(status, error) && other.failure().stderrEnd().isEmpty()) {
        shown.set(i, other.and(index, task));
        sort();
        return true;
      }
    }
    return false;
  }

  /** Whether to show a result; only then is what it shows worth making. */
  boolean wants(int index, TaskStatus status, String error) {
    return status != TaskStatus.SUCCEEDED
        && status != TaskStatus.CANCELLED
        && (shown.size() < MOST || replaced(index, status, error).isPresent());
  }

  /** Adds a failure that is {@linkplain #wants wanted}. */
  void add(int index, TaskFailure failure) {
    if (shown.size() == MOST) {
      shown.remove(replaced(index, failure.status(), failure.error()).orElseThrow());
    }
    shown.add(new Shown(index, failure));
    sort();
  }

  private void sort() {
    shown.sort(Comparator.comparingInt(Shown::index));
  }

  /** The place of the one that another failure replaces; empty if all of them are shown rather. */
  private OptionalInt replaced(int index, TaskStatus status, String error) {
    if (shown.stream().noneMatch(one -> one.isLike(status, error))) {
      return last(this::isRepeated);
    }
    return last(i -> {
      Shown one = shown.get(i);
      return one.isLike(status, error) && one.failure().alike() == 1 && one.index() > index;
    });
  }

  private static OptionalInt last(IntPredicate which) {
    return IntStream.range(0, MOST).filter(which).max();
  }

  /** Whether an earlier one is like that at a place. */
  private boolean isRepeated(int place) {
    TaskFailure last = shown.get(place).failure();
    return shown.subList(0, place).stream().anyMatch(o -> o.isLike(last.status(), last.error()));
  }

  /** In the order of the workload. */
  List<TaskFailure> list() {
    return shown.stream().map(Shown::failure).toList();
  }
}
