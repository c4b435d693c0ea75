package io.cloudkon.core.handler;

import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * Sends messages between the ranks of one HPC job. Used by one rank's thread. Messages between two
 * ranks arrive in the order in which they were sent. Every rank must make the same collective calls
 * in the same order; what it receives by {@link #receive} is never taken by one of these.
 *
 * <p>Calls that wait do so until the other side comes, or until this rank is interrupted, as it is
 * when another rank ends badly, or the job's time is over: then they throw {@link
 * InterruptedException}.
 *
 * <p>A message has at most 256 MiB, also one that a collective call makes of several: a larger one,
 * and one for which its receiver lacks memory, ends the call that sends it by a {@link
 * io.cloudkon.core.error.CloudKonException}.
 */
public interface Communicator {

  /** This rank, from 0. */
  int rank();

  /** How many ranks there are. */
  int size();

  /** Sends to one rank; returns when the message is on its way, not when it is received. */
  void send(int to, byte[] message) throws InterruptedException;

  /** The next message from that rank. */
  byte[] receive(int from) throws InterruptedException;

  /** Waits until every rank is here. */
  void barrier() throws InterruptedException;

  /** Gives every rank what the root has; {@code message} of the others is ignored. */
  byte[] broadcast(int root, byte[] message) throws InterruptedException;

  /**
   * Combines the ranks' values element by element, in the order of the ranks.
   *
   * @param values the same number of them on every rank
   * @return at the root the combined values; elsewhere an empty array
   */
  double[] reduce(int root, double[] values, DoubleBinaryOperator operator)
      throws InterruptedException;

  /** As {@link #reduce}, with the combined values for every rank. */
  double[] allReduce(double[] values, DoubleBinaryOperator operator) throws InterruptedException;

  /** At the root every rank's message, by rank; elsewhere an empty list. */
  List<byte[]> gather(int root, byte[] message) throws InterruptedException;
}
