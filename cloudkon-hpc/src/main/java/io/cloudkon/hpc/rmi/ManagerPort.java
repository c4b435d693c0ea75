package io.cloudkon.hpc.rmi;

/**
 * The calls to a gang's manager. An {@link Endpoint} passes the calls of other workers to an
 * implementation; {@link Stubs} create implementations that call another worker. Thread safe. A
 * stub's calls block, but never longer than {@link RmiSettings} allows.
 */
public interface ManagerPort {

  /**
   * Offers slots for ranks. May be repeated: the manager identifies a registration by attempt and
   * rank.
   *
   * @throws HpcCallException if there is no answer
   */
  Welcome register(String gang, Registration registration);

  /**
   * A sub-worker's heartbeat. May be repeated.
   *
   * @throws HpcCallException if there is no answer
   */
  Standing report(String gang, Report report);

  /**
   * Like {@link #report(String, Report)}, for a slow link: the timeout is multiplied by {@code
   * times}, 1 or more.
   */
  default Standing report(String gang, Report report, int times) {
    return report(gang, report);
  }
}
