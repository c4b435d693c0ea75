package io.cloudkon.hpc.rank;

/**
 * Carries frames from one rank to the mailboxes of others. Used by one rank's thread.
 *
 * <p>It may deliver a frame more than once, for example after a lost answer, and may change the
 * order of frames: the mailbox corrects both. It must not lose a frame silently.
 */
@FunctionalInterface
public interface RankLink {

  /**
   * Sends a frame and returns once the other rank's {@link Mailbox#deliver} has accepted it; while
   * that mailbox is full, the frame is offered again.
   *
   * @param to another rank, never this one
   * @param frame the frame, which must not be changed afterwards
   * @throws InterruptedException if this rank is interrupted while it waits
   * @throws io.cloudkon.core.error.CloudKonException if that rank cannot be reached
   */
  void send(int to, byte[] frame) throws InterruptedException;
}
