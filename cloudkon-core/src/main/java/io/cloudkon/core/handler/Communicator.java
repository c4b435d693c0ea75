package io.cloudkon.core.handler;

import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * Sends messages between the ranks of one HPC job. Used by one rank's thread. Messages between two
 * ranks arrive in the order in which they were sent. Every rank must make the same collective calls
 * in the same order; their messages are separate from those for {@link #receive}.
 *
 * <p>A call waits until the other side makes the corresponding call, or until this rank is
 * interrupted, which happens when another rank fails or the job's time limit is over: then the call
 * throws {@link InterruptedException}.
 *
 * <p>A message has at most 256 MiB, including a message that a collective call combines from
 * several. If a message is larger, or its receiver lacks memory, the call that sends it throws a
 * {@link io.cloudkon.core.error.CloudKonException}.
 */
public interface Communicator {

  /** The number of this rank, from 0. */
  int rank();

  /** The number of ranks. */
  int size();

  /**
   * Sends a message to one rank; returns when the message is on its way, not when it is received.
   */
  void send(int to, byte[] message) throws InterruptedException;

  /** Waits for the next message from that rank. */
  byte[] receive(int from) throws InterruptedException;

  /** Waits until every rank has called this method. */
  void barrier() throws InterruptedException;

  /** Sends the root's message to every rank; {@code message} of the other ranks is ignored. */
  byte[] broadcast(int root, byte[] message) throws InterruptedException;

  /**
   * Combines the ranks' values element by element, in the order of the ranks.
   *
   * @param values the values of this rank, the same number on every rank
   * @return the combined values at the root; an empty array at the other ranks
   */
  double[] reduce(int root, double[] values, DoubleBinaryOperator operator)
      throws InterruptedException;

  /** Like {@link #reduce}, but returns the combined values at every rank. */
  double[] allReduce(double[] values, DoubleBinaryOperator operator) throws InterruptedException;

  /**
   * Sends a message of every rank to the root.
   *
   * @return every rank's message, by rank, at the root; an empty list at the other ranks
   */
  List<byte[]> gather(int root, byte[] message) throws InterruptedException;
}
