package io.cloudkon.core.protocol.health;

/** An action that a worker's health machine asks for. */
public sealed interface HealthEffect {

  /** Try what failed; the answer is {@link HealthMachine#probed}. */
  record Probe() implements HealthEffect {}

  /** From now on it is sick: it receives nothing, and gives back what has not started. */
  record BecomeSick(Sickness sickness) implements HealthEffect {}

  /**
   * From now on it is well: it takes work again.
   *
   * @param sickMillis for how long it was sick
   */
  record Recover(Sickness from, long sickMillis) implements HealthEffect {}

  /**
   * Try what tasks may bring about ({@link Sickness#mayBeOfTasks}), and while that fails end what
   * still runs, one task after the other, and try after each; the last answer, about all causes, is
   * {@link HealthMachine#probed}.
   */
  record Clear(Sickness sickness) implements HealthEffect {}

  /** It cannot be helped: the worker ends. */
  record End(Sickness sickness) implements HealthEffect {}
}
