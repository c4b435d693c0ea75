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
 * One run of an MPI program, seen by who spreads its ranks: gets the lines to run from mpiexec, and
 * tells it how ranks ended. Handed to {@link TaskRunner#mpiexec}, once. Thread safe.
 */
public final class MpiJob {
  private static final Duration LAUNCH = Duration.ofSeconds(20);
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** In which what ranks printed last comes to mpiexec. */
  private static final Duration LAST_WORDS = Duration.ofMillis(300);

  private final int ranks;
  private final String address;
  private final Duration launchLimit;
  private final Duration grace;
  private final CompletableFuture<Launch> launch = new CompletableFuture<>();
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * A job whose mpiexec has 20 s to print its lines, and whose ranks have 5 s to end after one of
   * them failed.
   *
   * @param ranks how many
   * @param address of this worker, by which the others' ranks reach mpiexec
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
   * Waits for the lines, one for each rank, by rank: what {@link RankPlace#launch} takes.
   *
   * @throws CloudKonException if there are none and will be none; the outcome of {@link
   *     TaskRunner#mpiexec} says the same
   */
  public List<String> lines() throws InterruptedException {
    return switch (wait(launch)) {
      case Lines lines -> lines.all();
      case Unusable unusable -> throw new CloudKonException(unusable.why());
    };
  }

  /**
   * A rank has ended. mpiexec does not end the others where one left without saying so to MPI:
   * after a code other than 0, the job is ended when they have not ended by themselves in 5 s.
   *
   * @param exitCode the outcome's
   */
  public void rankEnded(int rank, int exitCode) {
    if (exitCode != 0) {
      failure.complete("MPI rank %d ended with %s".formatted(rank, Texts.exited(exitCode)));
    }
  }

  /** All ranks were ended: so is mpiexec, soon, as a failure with what it has printed. */
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
   * There will be no lines, unless they are there already: for who never comes to call {@link
   * TaskRunner#mpiexec}, so that nobody waits in {@link #lines} for ever.
   */
  public void unusable(String why) {
    launch.complete(new Unusable(why));
  }

  /**
   * Waits for a reason to end mpiexec: no lines in time, or a failed rank that the others outlive.
   * Ends by interruption, once mpiexec has ended.
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

  /** What mpiexec said. */
  private sealed interface Launch {}

  private record Lines(List<String> all) implements Launch {}

  private record Unusable(String why) implements Launch {}
}
