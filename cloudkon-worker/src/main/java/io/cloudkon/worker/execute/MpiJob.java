package io.cloudkon.worker.execute;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One run of an MPI program, as seen by the code that distributes its ranks: provides the launch
 * lines of mpiexec, and takes the exit codes of ranks. Passed to {@link TaskRunner#mpiexec} once.
 * Thread safe.
 */
public final class MpiJob {
  private static final Duration LAUNCH = Duration.ofSeconds(60);
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** The time in which the last output of the ranks reaches mpiexec. */
  private static final Duration LAST_WORDS = Duration.ofMillis(300);

  private final int ranks;
  private final String address;
  private final Duration launchLimit;
  private final Duration grace;
  private final CompletableFuture<Launch> launch = new CompletableFuture<>();
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * A job whose mpiexec has 60 s to print its lines, and whose ranks have 5 s to end after one of
   * them failed.
   *
   * @param ranks the number of ranks
   * @param address the address of this worker, by which the ranks of other workers reach mpiexec
   */
  public MpiJob(int ranks, String address) {
    this(ranks, address, LAUNCH, GRACE);
  }

  MpiJob(int ranks, String address, Duration launchLimit, Duration grace) {
    this.ranks = ranks;
    this.address = address;
    this.launchLimit = launchLimit;
    this.grace = grace;
  }

  /**
   * Waits for the launch lines, one for each rank and in rank order, for {@link RankPlace#launch}.
   *
   * @throws CloudKonException if there will be no lines; the outcome of {@link TaskRunner#mpiexec}
   *     says the same
   */
  public List<String> lines() throws InterruptedException {
    return switch (wait(launch)) {
      case Lines lines -> lines.all();
      case Unusable unusable -> throw new CloudKonException(unusable.why());
    };
  }

  /**
   * Reports the end of a rank. mpiexec does not end the others if a rank leaves without telling
   * MPI. After an exit code other than 0, the job is therefore ended if the others have not ended
   * by themselves within 5 s.
   *
   * @param exitCode the exit code of the rank's outcome
   */
  public void rankEnded(int rank, int exitCode) {
    if (exitCode != 0) {
      failure.complete("MPI rank %d ended with %s".formatted(rank, Texts.exited(exitCode)));
    }
  }

  /**
   * Reports that all ranks were ended. mpiexec is then ended soon, as a failure with its output so
   * far.
   */
  public void ranksEnded() {
    failure.complete("its ranks were ended");
    ended.countDown();
  }

  int ranks() {
    return ranks;
  }

  String address() {
    return address;
  }

  void launched(List<String> all) {
    launch.complete(new Lines(all));
  }

  /**
   * Reports that there will be no launch lines, unless they exist already. A caller that never gets
   * to {@link TaskRunner#mpiexec} calls this, so that {@link #lines} does not wait forever.
   */
  public void unusable(String why) {
    launch.complete(new Unusable(why));
  }

  /**
   * Waits for a reason to end mpiexec: no lines in time, or a failed rank. An interrupt ends the
   * wait once mpiexec has ended.
   */
  String awaitTrouble() throws InterruptedException {
    Launch known;
    try {
      known = launch.get(launchLimit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return "mpiexec printed no launch lines within " + launchLimit.toMillis() + " ms";
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is only ever completed with a value", e);
    }
    return switch (known) {
      case Unusable unusable -> unusable.why();
      case Lines _ -> {
        String why = wait(failure);
        if (ended.await(grace.toMillis(), TimeUnit.MILLISECONDS)) {
          boolean _ = new CountDownLatch(1).await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
          yield why;
        }
        yield why + ", and the others did not end within " + grace.toMillis() + " ms";
      }
    };
  }

  private static <T> T wait(CompletableFuture<T> value) throws InterruptedException {
    try {
      return value.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is only ever completed with a value", e);
    }
  }

  /** The launch lines of mpiexec, or the reason why there are none. */
  private sealed interface Launch {}

  private record Lines(List<String> all) implements Launch {}

  private record Unusable(String why) implements Launch {}
}
