package io.cloudkon.worker.gang;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.hpc.rank.RankLink;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries one rank's frames to the other ranks: by a direct call within this worker, and by RMI to
 * other workers. If a rank is not there yet or has no room, tries again until this rank is
 * interrupted, as it is when any rank has failed. A message that can never arrive is an error. Used
 * by one rank's thread.
 */
final class RmiLink implements RankLink {
  private static final Logger LOG = LoggerFactory.getLogger(RmiLink.class);

  /** The time without success after which a rank that cannot be reached is reported. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final long FIRST_WAIT_MICROS = 200;
  private static final long LONGEST_WAIT_MICROS = 50_000;

  /** The maximum factor on a call's timeout, which allows for 256 MiB at 128 KiB/s. */
  private static final int MOST_TIMES = 64;

  private final RankRuns runs;
  private final Stubs stubs;
  private final String gang;
  private final StartRanks start;
  private final int rank;

  /**
   * The factor on the timeout. Doubles with each timeout, because a slow link tends to stay slow.
   */
  private int times = 1;

  /** Why the last call had no answer; empty if it had one. */
  private String unreached = "";

  private boolean told;

  RmiLink(RankRuns runs, Stubs stubs, String gang, StartRanks start, int rank) {
    this.runs = runs;
    this.stubs = stubs;
    this.gang = gang;
    this.start = start;
    this.rank = rank;
  }

  /**
   * Applies the same size limit to all messages, so that the placement of ranks makes no
   * difference.
   */
  @Override
  public void send(int to, byte[] frame) throws InterruptedException {
    if (frame.length > stubs.messageBytes()) {
      throw new CloudKonException(
          "rank %d has a message of %d bytes for rank %d, but the limit is %d; send it in parts, and gather in parts"
              .formatted(rank, frame.length, to, stubs.messageBytes()));
    }
    RankMessage message = new RankMessage(start.job(), start.attempt(), rank, to, frame);
    boolean here = Arrays.stream(start.ranks()).anyMatch(own -> own == to);
    long wait = FIRST_WAIT_MICROS;
    long begun = System.nanoTime();
    while (!(here ? runs.deliver(gang, message) : sent(message))) {
      if (!unreached.isEmpty() && System.nanoTime() - begun > SILENCE.toNanos()) {
        tellUnreached(to);
      }
      TimeUnit.MICROSECONDS.sleep(wait);
      wait = Math.min(LONGEST_WAIT_MICROS, 2 * wait);
    }
  }

  /** Says once which rank cannot be reached: nothing else would tell why its job does not end. */
  private void tellUnreached(int to) {
    if (!told) {
      told = true;
      LOG.warn(
          "rank {} of job {} has not reached rank {} at {} for {} s, trying again: {}; the workers"
              + " of a job must reach each other's ports (see --rmi-address, --rmi-port)",
          rank,
          start.job(),
          to,
          start.peers()[to],
          SILENCE.toSeconds(),
          unreached);
    }
  }

  private boolean sent(RankMessage message) throws InterruptedException {
    try {
      boolean taken =
          stubs
              .subWorker(start.peers()[message.to()], start.passes()[message.to()], times)
              .deliver(gang, message);
      unreached = "";
      return taken;
    } catch (HpcCallException e) {
      unreached = String.valueOf(e.getMessage());
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
