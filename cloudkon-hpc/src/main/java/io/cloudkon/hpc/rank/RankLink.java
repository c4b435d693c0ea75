package io.cloudkon.hpc.rank;

/**
 * Carries frames from one rank to the mailboxes of others. Used by one rank's thread.
 *
 * <p>It may deliver a frame more than once, as after a lost answer, and in another order than they
 * were sent: the mailbox puts that right. It must not lose one silently.
 */
@FunctionalInterface
public interface RankLink {

  /**
   * Returns once the other rank's {@link Mailbox#deliver} took the frame; while that is full, it
   * offers the frame again.
   *
   * @param to another rank, never this one
   * @param frame not written to afterwards
   * @throws InterruptedException if this rank is interrupted meanwhile
   * @throws io.cloudkon.core.error.CloudKonException if that rank cannot be reached
   */
  void send(int to, byte[] frame) throws InterruptedException;
}
