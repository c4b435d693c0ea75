package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskStatus;

/** How many tasks ended how. Not thread safe. */
final class StatusCounts {
  private long succeeded;
  private long failed;
  private long timedOut;
  private long cancelled;
  private long lost;

  /** One more. */
  void add(TaskStatus status) {
    switch (status) {
      case SUCCEEDED -> succeeded++;
      case FAILED -> failed++;
      case TIMED_OUT -> timedOut++;
      case CANCELLED -> cancelled++;
      case LOST -> lost++;
    }
  }

  long of(TaskStatus status) {
    return switch (status) {
      case SUCCEEDED -> succeeded;
      case FAILED -> failed;
      case TIMED_OUT -> timedOut;
      case CANCELLED -> cancelled;
      case LOST -> lost;
    };
  }
}
