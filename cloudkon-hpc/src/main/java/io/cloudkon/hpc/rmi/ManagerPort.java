package io.cloudkon.hpc.rmi;

/**
 * The calls to a gang's manager: behind an {@link Endpoint} by others, in front of {@link Stubs} to
 * ask another. Thread safe. A stub's calls block, never longer than {@link RmiSettings} says.
 */
public interface ManagerPort {

  /**
   * Offers slots for ranks. May be repeated: whoever answers knows a registration by attempt and
   * rank.
   *
   * @throws HpcCallException if there is no answer
   */
  Welcome register(String gang, Registration registration);

  /**
   * A sub-worker's beat. May be repeated.
   *
   * @throws HpcCallException if there is no answer
   */
  Standing report(String gang, Report report);
}
