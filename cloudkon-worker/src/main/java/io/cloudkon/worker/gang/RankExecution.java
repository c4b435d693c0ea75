package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.RankPlace;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.StartHindrance;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs single ranks from their input to their end, in the calling thread. Thread safe. */
final class RankExecution {
  private static final Logger LOG = LoggerFactory.getLogger(RankExecution.class);

  private final RankRunner runner;
  private final Inputs inputs;
  private final Health health;
  private final HinderedStarts hindered;
  private final Pulse pulse;
  private final TimeSource time;

  /**
   * Runs nothing yet.
   *
   * @param health decides whether a rank that did not start is at fault, or this worker
   * @param hindered records the ranks that did not start through this worker's fault
   * @param pulse the pulse of the gangs' loop; a rank starts only after the loop has recently
   *     checked whether it still may
   */
  RankExecution(
      RankRunner runner,
      Inputs inputs,
      Health health,
      HinderedStarts hindered,
      Pulse pulse,
      TimeSource time) {
    this.runner = runner;
    this.inputs = inputs;
    this.health = health;
    this.hindered = hindered;
    this.pulse = pulse;
    this.time = time;
  }

  /** The job of a rank, as its manager ordered it and as it is in hand here. */
  record Job(StartRanks start, BundleInHand inHand) {}

  /**
   * Runs a rank, and returns how it ended.
   *
   * @param place makes the rank's place in its job, once its input is there
   * @param begun the time in epoch microseconds at which its run began
   */
  RankEnd run(Job job, int rank, Supplier<RankPlace> place, long begun) {
    try (Inputs.Provisions provisions = inputs.provisions(job.inHand())) {
      return end(job, provisions, rank, place, begun);
    } catch (TaskInterruptedException e) {
      TaskOutcome unfinished = e.unfinished();
      return unfinished == null
          ? cancelled(job, rank, begun, e.stuck())
          : outputs(job, rank, unfinished, TaskStatus.CANCELLED.name());
    } catch (GivenUpException e) {
      return job.inHand().abandoned()
          ? cancelled(job, rank, begun, false)
          : ended(job.start(), rank, EndedRanks.LEFT, "its worker drains", begun, false);
    }
  }

  /** The end of a rank whose run failed with an error that is not the rank's own. */
  RankEnd failed(Job job, int rank, Throwable failure, long begun) {
    return job.inHand().abandoned()
        ? cancelled(job, rank, begun, false)
        : ended(
            job.start(),
            rank,
            TaskStatus.FAILED.name(),
            "its worker could not run it: " + failure.getClass().getName(),
            begun,
            false);
  }

  private RankEnd end(
      Job job, Inputs.Provisions provisions, int rank, Supplier<RankPlace> place, long begun)
      throws TaskInterruptedException, GivenUpException {
    StartRanks start = job.start();
    try {
      TaskOutcome outcome = outcome(job, provisions, place);
      boolean withOthers = outcome.status() == TaskStatus.CANCELLED;
      return outputs(job, rank, outcome, withOthers ? EndedRanks.ENDED : outcome.status().name());
    } catch (InputException e) {
      return StartHindrance.of(e, health)
          .map(found -> notStarted(start, rank, found, begun))
          .orElseGet(() -> ended(start, rank, TaskStatus.FAILED.name(), e.reason(), begun, false));
    } catch (NotStartedException e) {
      TaskOutcome own = e.outcome();
      return StartHindrance.of(e, health)
          .map(found -> notStarted(start, rank, found, begun))
          .orElseGet(() -> outputs(job, rank, own, own.status().name()));
    }
  }

  private TaskOutcome outcome(Job job, Inputs.Provisions provisions, Supplier<RankPlace> place)
      throws TaskInterruptedException, InputException, GivenUpException, NotStartedException {
    Task whole = job.inHand().task(0);
    Task each = whole.work() instanceof Work.Hpc hpc ? whole.with(hpc.each()) : whole;
    TaskEnvironment around =
        runner.allows(each)
            ? provisions.around(each)
            : TaskEnvironment.bare(job.inHand().header().run(), 0);
    Task complete = runner.allows(each) ? provisions.complete(each) : each;
    RankPlace there = place.get();
    if (!pulse.allows(job.inHand())) {
      throw new GivenUpException();
    }
    return runner.run(around, complete, job.inHand().interruption(), there);
  }

  private static RankEnd outputs(Job job, int rank, TaskOutcome outcome, String status) {
    return EndedRanks.withOutputs(
        job.start(), rank, outcome, status, job.inHand().header().captureBytes());
  }

  /**
   * The end of a rank that did not start. Another worker may run it, unless too many workers could
   * not start it.
   */
  private RankEnd notStarted(StartRanks start, int rank, StartHindrance found, long begun) {
    LOG.warn("rank {} of job {} did not start here: {}", rank, start.job(), found.reason());
    return hindered
        .note(start.job(), found)
        .map(why -> ended(start, rank, TaskStatus.FAILED.name(), why, begun, false))
        .orElseGet(() -> ended(start, rank, EndedRanks.LEFT, found.reason(), begun, false));
  }

  private RankEnd cancelled(Job job, int rank, long begun, boolean stuck) {
    return ended(
        job.start(), rank, TaskStatus.CANCELLED.name(), "it was ended with its job", begun, stuck);
  }

  private RankEnd ended(
      StartRanks start, int rank, String status, String error, long begun, boolean stuck) {
    return EndedRanks.withoutOutputs(
        start, rank, status, error, begun, Math.max(begun, time.wallMicros()), stuck);
  }
}
