package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The few failures that the short report shows: different ones, as far as there are any, and
 * otherwise the first. Two are alike if their statuses and errors are equal. Those without standard
 * error are shown once, with their number. Not thread safe.
 */
final class ShownFailures {
  private static final int MOST = 3;

  private final List<TaskFailure> shown = new ArrayList<>(MOST);

  /**
   * Counts a result without standard error whose like is shown already; returns whether that was
   * done, so that it needs no failure of its own.
   */
  boolean counts(TaskStatus status, String error) {
    for (int i = 0; i < shown.size(); i++) {
      TaskFailure other = shown.get(i);
      if (isLike(other, status, error) && other.stderrEnd().isEmpty()) {
        shown.set(i, other.again());
        return true;
      }
    }
    return false;
  }

  /** Whether to show a result; only then is what it shows worth making. */
  boolean wants(TaskStatus status, String error) {
    if (status == TaskStatus.SUCCEEDED || status == TaskStatus.CANCELLED) {
      return false;
    }
    return shown.size() < MOST
        || (repeated().isPresent()
            && shown.stream().noneMatch(other -> isLike(other, status, error)));
  }

  /** Adds a failure that is {@linkplain #wants wanted}. */
  void add(TaskFailure failure) {
    if (shown.size() == MOST) {
      shown.remove(repeated().orElseThrow());
    }
    shown.add(failure);
  }

  /** The last one that is like an earlier one. */
  private OptionalInt repeated() {
    for (int i = shown.size() - 1; i > 0; i--) {
      TaskFailure last = shown.get(i);
      if (shown.subList(0, i).stream().anyMatch(o -> isLike(o, last.status(), last.error()))) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private static boolean isLike(TaskFailure one, TaskStatus status, String error) {
    return one.status() == status && one.error().equals(error);
  }

  /** In the order of arrival. */
  List<TaskFailure> list() {
    return List.copyOf(shown);
  }
}
