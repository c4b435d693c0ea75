package io.cloudkon.simulator.cloud;

/**
 * The boot settings of instances, and the faults in boots. Probabilities are between 0 and 1; times
 * are in microseconds.
 *
 * @param least the shortest boot
 * @param most the longest boot of an instance without faults
 * @param refused the probability that a launch is refused for lack of capacity
 * @param half the probability that a launch of several instances grants only half of them
 * @param never the probability that an instance never comes up
 * @param late the probability that an instance comes up only after {@code lateBy}
 * @param lateBy the earliest time at which a late instance comes up
 * @param twice the probability that an instance reboots some time after it came up, and another
 *     worker with it
 * @param unlisted the maximum time for which the launcher does not list a new instance
 * @param ends how long a terminated instance takes to end
 * @param protects whether every third instance is protected, so that nobody can end it
 * @param untilMicros when the faults end; boots and ends take their time all the same
 */
public record BootSettings(
    long least,
    long most,
    double refused,
    double half,
    double never,
    double late,
    long lateBy,
    double twice,
    long unlisted,
    long ends,
    boolean protects,
    long untilMicros) {

  /** Settings in which every instance comes up after 20 to 120 s. */
  public static final BootSettings CALM = of(20_000_000, 120_000_000);

  /** A copy in which terminated instances take this long to end, and some may be protected. */
  public BootSettings withEnds(long micros, boolean protectsSome) {
    return new BootSettings(
        least,
        most,
        refused,
        half,
        never,
        late,
        lateBy,
        twice,
        unlisted,
        micros,
        protectsSome,
        untilMicros);
  }

  /** Settings in which every instance comes up within these bounds. */
  public static BootSettings of(long least, long most) {
    return new BootSettings(least, most, 0, 0, 0, 0, 0, 0, 0, 0, false, 0);
  }
}
