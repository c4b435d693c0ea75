package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.worker.collect.CollectedArchive;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** What a test that plays mpiexec says and waits for, as {@link MpiRun} does. */
public final class PlayedMpiexec {
  private static final byte[] NOTHING = {};

  private PlayedMpiexec() {}

  /** It prints its lines. */
  public static void prints(MpiJob job, String... lines) {
    job.launched(List.of(lines));
  }

  /** It runs until it is killed, as nothing else ends it. */
  public static TaskOutcome untilKilled(Interruption interruption) throws TaskInterruptedException {
    CountDownLatch killed = new CountDownLatch(1);
    try (var _ = interruption.onKill(killed::countDown)) {
      killed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw interruption.exception();
  }

  /** It runs until its job has a reason to end it, or it is killed; that ends it with this. */
  public static TaskOutcome untilTrouble(MpiJob job, Interruption interruption, String printed)
      throws TaskInterruptedException {
    CompletableFuture<String> why = new CompletableFuture<>();
    Thread watch =
        Thread.ofVirtual()
            .start(() -> {
              try {
                why.complete(job.awaitTrouble());
              } catch (InterruptedException e) {
                why.complete("interrupted");
              }
            });
    try (var _ = interruption.onKill(watch::interrupt)) {
      String said = why.get();
      interruption.check();
      return ended(TaskStatus.FAILED, printed, said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interruption.exception();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** It does not start; it is its worker that is to blame, if the worker is sick. */
  public static TaskOutcome cannotStart(Sickness suspicion) throws NotStartedException {
    TaskOutcome own = ended(TaskStatus.FAILED, "", "cannot start 'true': error=11");
    throw new NotStartedException(suspicion, () -> {}, own, new IOException("planted"));
  }

  /** How it ended by itself. */
  public static TaskOutcome ended(TaskStatus status, String printed, String error) {
    return ended(status, printed, error, Spools.NONE);
  }

  /** The same, where what it printed may lie on disk. */
  public static TaskOutcome ended(TaskStatus status, String printed, String error, Spools spools) {
    byte[] stdout = printed.getBytes(UTF_8);
    return new TaskOutcome(
        status,
        status == TaskStatus.SUCCEEDED ? 0 : 1,
        stdout,
        stdout.length,
        NOTHING,
        0,
        NOTHING,
        0,
        error,
        1,
        2,
        false,
        spools,
        TaskUsage.NONE,
        CollectedArchive.NONE);
  }
}
