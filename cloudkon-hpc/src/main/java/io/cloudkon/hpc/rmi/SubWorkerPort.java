package io.cloudkon.hpc.rmi;

/**
 * The calls to a gang's sub-worker. An {@link Endpoint} passes the calls of other workers to an
 * implementation; {@link Stubs} create implementations that call another worker. Thread safe. A
 * stub's calls block, but never longer than {@link RmiSettings} allows.
 */
public interface SubWorkerPort {

  /**
   * Does nothing: an answer shows that this sub-worker can be told to start ranks. May be repeated.
   *
   * @throws HpcCallException by a stub, if there is no answer
   */
  void ping(String gang);

  /**
   * Starts ranks; returns before they run. May be repeated.
   *
   * @throws HpcCallException if there is no answer
   */
  Standing start(String gang, StartRanks start);

  /**
   * Stops ranks. May be repeated.
   *
   * @throws HpcCallException by a stub, if there is no answer
   */
  void kill(String gang, KillRanks kill);

  /**
   * Reports that the gang no longer exists. May be repeated.
   *
   * @throws HpcCallException by a stub, if there is no answer
   */
  void dissolve(String gang);

  /**
   * Hands a message to a rank that runs here.
   *
   * @return false if the rank does not run here yet, or has no room now; the caller should try
   *     again
   * @throws HpcCallException by a stub, if there is no answer; the message may have arrived
   *     nevertheless
   */
  boolean deliver(String gang, RankMessage message);
}
