package io.cloudkon.core.protocol.health;

/** An action that a worker's health machine requests. */
public sealed interface HealthEffect {

  /** Test what failed; answered by {@link HealthMachine#probed}. */
  record Probe() implements HealthEffect {}

  /** Make the worker sick: it receives nothing and gives back tasks that have not started. */
  record BecomeSick(Sickness sickness) implements HealthEffect {}

  /** The worker stays sick, but now because of this. */
  record StaySick(Sickness sickness) implements HealthEffect {}

  /**
   * Make the worker healthy: it takes work again.
   *
   * @param sickMillis how long it was sick, in milliseconds
   */
  record Recover(Sickness from, long sickMillis) implements HealthEffect {}

  /**
   * Test the causes that tasks may bring about ({@link Sickness#mayBeOfTasks}); while the test
   * fails, stop the running tasks one by one and test after each. The last answer, for all causes,
   * is {@link HealthMachine#probed}.
   */
  record Clear() implements HealthEffect {}

  /** End the worker, because it did not recover. */
  record End(Sickness sickness) implements HealthEffect {}
}
