package io.cloudkon.core.protocol.health;

/**
 * The intervals at which a sick worker probes itself. All in milliseconds.
 *
 * @param first the time until the first probe after it became sick, which doubles with each
 *     failure; default 1,000
 * @param most the maximum time between two probes; default 30,000
 * @param timeout how long it may be sick; default 300,000
 */
public record HealthSettings(long first, long most, long timeout) {
  /** 1 s, at most 30 s, for 5 min. */
  public static final HealthSettings DEFAULT = new HealthSettings(1_000, 30_000, 300_000);

  private static final int MAX_DOUBLINGS = 20;

  public HealthSettings {
    if (first < 1 || most < first || timeout < 1) {
      throw new IllegalArgumentException(
          "a sick worker tries itself after %d ms, at most %d ms, for %d ms: expected 1 or more, and"
                  .formatted(first, most, timeout)
              + " the second not below the first");
    }
  }

  /** The defaults with another timeout. */
  public static HealthSettings ofTimeout(long millis) {
    return new HealthSettings(DEFAULT.first(), DEFAULT.most(), millis);
  }

  /** The wait after that many failed probes. */
  long after(int failures) {
    return Math.min(most, first << Math.min(MAX_DOUBLINGS, failures));
  }
}
