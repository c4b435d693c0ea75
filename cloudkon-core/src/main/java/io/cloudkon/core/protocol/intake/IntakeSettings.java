package io.cloudkon.core.protocol.intake;

/**
 * The limits of a worker's look-ahead.
 *
 * @param targetMillis how long a bundle may wait here while another worker could start it, in
 *     milliseconds; default the bundle target, 250
 * @param backOffMillis the wait after the first failed receive in milliseconds, which doubles with
 *     each further one up to 32 times; default 200
 */
public record IntakeSettings(long targetMillis, long backOffMillis) {
  /** 250 ms, 200 ms. */
  public static final IntakeSettings DEFAULT = new IntakeSettings(250, 200);
}
