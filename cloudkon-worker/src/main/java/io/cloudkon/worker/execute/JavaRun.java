package io.cloudkon.worker.execute;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.handler.TaskHandler;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs {@code java} tasks and ranks. */
final class JavaRun {
  /** The time that a handler has to react to its interruption: PROTOCOL.md, section 7. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HandlerRegistry handlers;
  private final RunnerConfig config;
  private final Stamps stamps;
  private final Consumer<Task> stuck;

  JavaRun(HandlerRegistry handlers, RunnerConfig config, Stamps stamps, Consumer<Task> stuck) {
    this.handlers = handlers;
    this.config = config;
    this.stamps = stamps;
    this.stuck = stuck;
  }

  /**
   * Runs one call of a handler.
   *
   * @param place the rank that makes the call; null for a task that is not a rank
   */
  TaskOutcome run(
      TaskEnvironment around,
      Task task,
      Work.JavaCall work,
      @Nullable RankPlace place,
      Interruption interruption)
      throws TaskInterruptedException, NotStartedException {
    TimeLimit limit = config.limit(task);
    Deadline deadline = limit.deadline();
    // a jar that is not allowed is not loaded, because loading it would run its code
    HandlerSource source = allows(AllowedWork.SHIPPED_JAVA) ? around.handlers() : HandlerSource.OWN;
    HandlerRegistry known;
    if (source.ready()) {
      known = source.with(handlers);
    } else {
      long begun = stamps.now();
      HandlerLoad load = new HandlerLoad(source, handlers);
      HandlerCall.Started loading = start(load::start);
      TaskWatch.End end = TaskWatch.await(loading.call(), deadline, interruption);
      if (end != TaskWatch.End.DONE) {
        load.stop();
        boolean stopped = stop(task, loading);
        if (end == TaskWatch.End.KILLED) {
          throw interruption.exception(!stopped);
        }
        return timedOut(stopped, limit.exceeded() + " while its jar was loaded", begun);
      }
      try {
        known = load.result(loading.call());
      } catch (UsageException e) {
        long now = stamps.now();
        return TaskOutcome.plain(TaskStatus.FAILED, String.valueOf(e.getMessage()), now, now);
      } catch (OutOfMemoryError e) {
        throw NotStartedException.outOfMemory(e, stamps);
      }
    }
    around.staged().run();
    long started = stamps.now();
    HandlerCall.Body body = body(work, known, place);
    if (body == null) {
      String error = unknown(work.handler(), known, around, place);
      return TaskOutcome.plain(TaskStatus.FAILED, error, started, started);
    }
    if (!allows(AllowedWork.JAVA) && body(work, handlers, place) != null) {
      String error =
          "'%s' is one of this worker's own handlers, which need --allow java; it was started with --allow %s"
              .formatted(work.handler(), config.allowList());
      return TaskOutcome.plain(TaskStatus.FAILED, error, started, started);
    }
    HandlerCall.Started running = start(() -> HandlerCall.start(body));
    TaskWatch.End end = TaskWatch.await(running.call(), deadline, interruption);
    return switch (end) {
      case DONE ->
          outcome(running.call(), Math.min(config.captureBytes(), around.captureBytes()), started);
      case TIMED_OUT -> timedOut(stop(task, running), limit.exceeded(), started);
      case KILLED -> throw interruption.exception(!stop(task, running));
    };
  }

  private TaskOutcome timedOut(boolean stopped, String error, long started) {
    return stopped
        ? TaskOutcome.plain(TaskStatus.TIMED_OUT, error, started, stamps.now())
        : TaskOutcome.givenUp(error, started, stamps.now());
  }

  private TaskOutcome outcome(HandlerCall call, int limit, long started) {
    long finished = stamps.now();
    Throwable thrown = call.thrown();
    return thrown == null
        ? TaskOutcome.answered(call.answer(), limit, started, finished)
        : TaskOutcome.threw(Texts.error(thrown), Texts.trace(thrown), limit, started, finished);
  }

  private HandlerCall.Started start(Supplier<HandlerCall.Started> call) throws NotStartedException {
    try {
      return call.get();
    } catch (OutOfMemoryError e) {
      throw NotStartedException.outOfMemory(e, stamps);
    }
  }

  /** Interrupts a handler, and returns whether it stopped in time. */
  private boolean stop(Task task, HandlerCall.Started running) {
    running.thread().interrupt();
    boolean stopped = TaskWatch.settles(running.call(), GRACE_NANOS);
    if (!stopped) {
      stuck.accept(task);
      Carriers.replaceLost();
    }
    return stopped;
  }

  private static HandlerCall.@Nullable Body body(
      Work.JavaCall work, HandlerRegistry known, @Nullable RankPlace place) {
    RankHandler ofRanks = place == null ? null : known.findRank(work.handler());
    if (place != null && ofRanks != null) {
      return new HandlerCall.Body(ofRanks, () -> ofRanks.run(place.world(), work.args()));
    }
    TaskHandler ofTasks = known.find(work.handler());
    return ofTasks == null ? null : new HandlerCall.Body(ofTasks, () -> ofTasks.run(work.args()));
  }

  private boolean allows(AllowedWork what) {
    return config.allowed().contains(what);
  }

  private String unknown(
      String name, HandlerRegistry known, TaskEnvironment around, @Nullable RankPlace place) {
    if (place == null && known.findRank(name) != null) {
      return "'" + name + "' is a handler for ranks: a job runs it as hpc N java " + name;
    }
    Set<String> names = new TreeSet<>(known.names());
    if (place != null) {
      names.addAll(known.rankNames());
    }
    return "this worker has no handler '"
        + name
        + "'; it has "
        + String.join(", ", names)
        + (around.ships().isEmpty() || allows(AllowedWork.SHIPPED_JAVA)
            ? "; others come as jars (worker --handlers DIR, client --ship JAR)"
            : "; handlers in shipped jars need --allow shipped-java; it was started with --allow"
                + " "
                + config.allowList());
  }
}
