package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.TaskHandler;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs {@code java} tasks. */
final class JavaRun {
  /** How long a handler may take to heed its interruption: PROTOCOL.md, section 7. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HandlerRegistry handlers;
  private final int captureBytes;
  private final Stamps stamps;
  private final Consumer<Task> stuck;

  JavaRun(HandlerRegistry handlers, int captureBytes, Stamps stamps, Consumer<Task> stuck) {
    this.handlers = handlers;
    this.captureBytes = captureBytes;
    this.stamps = stamps;
    this.stuck = stuck;
  }

  TaskOutcome run(Task task, Work.JavaCall work, Interruption interruption)
      throws TaskInterruptedException {
    long started = stamps.now();
    TaskHandler handler = handlers.find(work.handler());
    if (handler == null) {
      return TaskOutcome.plain(TaskStatus.FAILED, unknown(work.handler()), started, started);
    }
    HandlerCall.Started running = HandlerCall.start(handler, work.args());
    Watch.End end =
        Watch.await(running.call(), Deadline.ofTimeout(task.timeoutMillis()), interruption);
    return switch (end) {
      case DONE -> outcome(running.call(), started);
      case TIMED_OUT -> {
        stop(task, running);
        String error = Texts.timedOut(task.timeoutMillis());
        yield TaskOutcome.plain(TaskStatus.TIMED_OUT, error, started, stamps.now());
      }
      case KILLED -> {
        stop(task, running);
        throw interruption.exception();
      }
    };
  }

  private TaskOutcome outcome(HandlerCall call, long started) {
    long finished = stamps.now();
    Throwable thrown = call.thrown();
    return thrown == null
        ? TaskOutcome.answered(call.answer(), captureBytes, started, finished)
        : TaskOutcome.threw(
            Texts.error(thrown), Texts.trace(thrown), captureBytes, started, finished);
  }

  private void stop(Task task, HandlerCall.Started running) {
    running.thread().interrupt();
    if (!Watch.settles(running.call(), GRACE_NANOS)) {
      stuck.accept(task);
    }
  }

  private String unknown(String name) {
    return "this worker has no handler '"
        + name
        + "', it knows "
        + String.join(", ", handlers.names())
        + "; others come as jars (worker --handlers DIR)";
  }
}
