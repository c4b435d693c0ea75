package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.MpiJob;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.StartHindrance;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The run of mpiexec for one attempt at a job, from its input to its outcome. Thread safe. */
final class MpiexecRun {
  private static final Logger LOG = LoggerFactory.getLogger(MpiexecRun.class);

  /** Runs mpiexec as a task. */
  interface Mpiexec {
    TaskOutcome run(TaskEnvironment around, Task task, Interruption interruption, MpiJob job)
        throws TaskInterruptedException, NotStartedException;
  }

  /**
   * How mpiexec has ended.
   *
   * @param byItself whether nobody stopped it
   * @param hindrance why this worker could not start it; empty if it could, or it is at fault
   */
  record Outcome(JobResults.Launched how, boolean byItself, Optional<StartHindrance> hindrance) {
    Outcome(JobResults.Launched how, boolean byItself) {
      this(how, byItself, Optional.empty());
    }
  }

  private final BundleInHand job;
  private final MpiJob mpi;
  private final Inputs inputs;
  private final Mpiexec mpiexec;
  private final Health health;

  /**
   * Runs nothing yet.
   *
   * @param job the job; its interruption ends the run
   * @param mpi the same run, as mpiexec sees it
   * @param health decides whether an mpiexec that did not start is at fault, or this worker
   */
  MpiexecRun(BundleInHand job, MpiJob mpi, Inputs inputs, Mpiexec mpiexec, Health health) {
    this.job = job;
    this.mpi = mpi;
    this.inputs = inputs;
    this.mpiexec = mpiexec;
    this.health = health;
  }

  /**
   * Runs mpiexec, and returns when it has ended. Whatever fails is an outcome, because its gang
   * must learn that it has ended.
   *
   * @param whyStopped the error of a run that was stopped
   */
  Outcome run(Supplier<String> whyStopped) {
    try {
      return launch(whyStopped);
    } catch (RuntimeException | Error e) {
      LOG.error("job {} could not be launched", job.header().bundle(), e);
      String why = "its manager could not launch it: " + e.getClass().getName();
      return new Outcome(JobResults.Launched.failed(why), true);
    }
  }

  private Outcome launch(Supplier<String> whyStopped) {
    Task task = job.task(0);
    try (Inputs.Provisions provisions = inputs.provisions(job)) {
      TaskEnvironment around = provisions.around(task);
      Task complete = complete(provisions, task);
      TaskOutcome outcome = mpiexec.run(around, complete, job.interruption(), mpi);
      return new Outcome(JobResults.Launched.of(outcome), true);
    } catch (TaskInterruptedException e) {
      if (e.unfinished() != null) {
        e.unfinished().spools().release();
      }
      return new Outcome(JobResults.Launched.failed(whyStopped.get()), false);
    } catch (GivenUpException e) {
      return new Outcome(JobResults.Launched.failed(whyStopped.get()), false);
    } catch (InputException e) {
      return new Outcome(
          JobResults.Launched.failed(e.reason()), true, StartHindrance.of(e, health));
    } catch (NotStartedException e) {
      return new Outcome(JobResults.Launched.of(e.outcome()), true, StartHindrance.of(e, health));
    }
  }

  private static Task complete(Inputs.Provisions provisions, Task task)
      throws InputException, GivenUpException {
    return task.work() instanceof Work.Hpc hpc
        ? task.with(
            new Work.Hpc(hpc.ranks(), hpc.mpi(), provisions.complete(task.with(hpc.each())).work()))
        : task;
  }
}
