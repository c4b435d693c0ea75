package io.cloudkon.hpc.rmi;

/**
 * The calls to a gang's sub-worker: behind an {@link Endpoint} by others, in front of {@link Stubs}
 * to tell another. Thread safe. A stub's calls block, never longer than {@link RmiSettings} says.
 */
public interface SubWorkerPort {

  /**
   * Starts ranks; returns before they run. May be repeated.
   *
   * @throws HpcCallException if there is no answer
   */
  Standing start(String gang, StartRanks start);

  /**
   * Ends ranks. May be repeated.
   *
   * @throws HpcCallException by a stub, if there is no answer
   */
  void kill(String gang, KillRanks kill);

  /**
   * The gang is no more. May be repeated.
   *
   * @throws HpcCallException by a stub, if there is no answer
   */
  void dissolve(String gang);

  /**
   * Hands a message to a rank that runs here.
   *
   * @return false if it does not run here yet, or has no room now: to be tried again
   * @throws HpcCallException by a stub, if there is no answer: it may have arrived nevertheless
   */
  boolean deliver(String gang, RankMessage message);
}
