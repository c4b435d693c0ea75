package io.cloudkon.worker.gang;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.hpc.rank.RankLink;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Carries one rank's frames to the others: within this worker by a call, to others by RMI. A rank
 * that is not there yet, or has no room, is tried again until this one is interrupted, as it is
 * when any of them has ended badly. What can never arrive is an error. Used by one rank's thread.
 */
final class RmiLink implements RankLink {
  private static final long FIRST_WAIT_MICROS = 200;
  private static final long LONGEST_WAIT_MICROS = 50_000;

  /** So many times as long as others a call may take: 256 MiB at 128 KiB/s. */
  private static final int MOST_TIMES = 64;

  private final RankRuns runs;
  private final Stubs stubs;
  private final String gang;
  private final StartRanks start;
  private final int rank;

  /** Doubled each time that a call was not answered: who has a slow link once has it again. */
  private int times = 1;

  RmiLink(RankRuns runs, Stubs stubs, String gang, StartRanks start, int rank) {
    this.runs = runs;
    this.stubs = stubs;
    this.gang = gang;
    this.start = start;
    this.rank = rank;
  }

  /** Has one limit for all: where ranks happen to run is not to matter. */
  @Override
  public void send(int to, byte[] frame) throws InterruptedException {
    if (frame.length > stubs.messageBytes()) {
      throw new CloudKonException(
          "rank %d has a message of %d bytes for rank %d, and one may have %d; send it in parts, and gather in parts"
              .formatted(rank, frame.length, to, stubs.messageBytes()));
    }
    RankMessage message = new RankMessage(start.job(), start.attempt(), rank, to, frame);
    boolean here = Arrays.stream(start.ranks()).anyMatch(own -> own == to);
    long wait = FIRST_WAIT_MICROS;
    while (!(here ? runs.deliver(gang, message) : sent(message))) {
      TimeUnit.MICROSECONDS.sleep(wait);
      wait = Math.min(LONGEST_WAIT_MICROS, 2 * wait);
    }
  }

  private boolean sent(RankMessage message) throws InterruptedException {
    try {
      return stubs
          .subWorker(start.peers()[message.to()], start.passes()[message.to()], times)
          .deliver(gang, message);
    } catch (HpcCallException e) {
      return switch (e.kind()) {
        case UNREACHABLE, REFUSED -> false;
        case TIMED_OUT -> {
          times = Math.min(MOST_TIMES, 2 * times);
          yield false;
        }
        case FAILED ->
            throw new CloudKonException(
                "rank %d cannot send rank %d a message of %d bytes: %s"
                    .formatted(rank, message.to(), message.bytes().length, e.getMessage()),
                e);
        case INTERRUPTED -> {
          Thread.interrupted();
          throw new InterruptedException(e.getMessage());
        }
      };
    }
  }
}
