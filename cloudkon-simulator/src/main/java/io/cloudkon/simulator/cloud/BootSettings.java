package io.cloudkon.simulator.cloud;

/**
 * The settings of instances' boots, and of the faults in them. Probabilities are between 0 and 1;
 * times in microseconds.
 *
 * @param least the shortest boot
 * @param most the longest boot of an instance that nothing befalls
 * @param refused a launch is refused for want of capacity
 * @param half a launch of several grants half of them
 * @param never an instance never comes up
 * @param late an instance comes up, but only after {@code lateBy}
 * @param lateBy when a late one comes up, at the earliest
 * @param twice an instance starts anew some time after it came up, and with it another worker
 * @param unlisted for how long at most the launcher does not list a new instance
 * @param ends how long an instance that is terminated takes to end
 * @param protects every third instance is protected, so that nobody can end it
 * @param untilMicros when all of it ends; boots and ends take their time all the same
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

  /** Every instance comes up after 20 to 120 s. */
  public static final BootSettings CALM = of(20_000_000, 120_000_000);

  /** The same, where a terminated instance takes so long to end, and some cannot be ended. */
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

  /** Every instance comes up, in a time between these. */
  public static BootSettings of(long least, long most) {
    return new BootSettings(least, most, 0, 0, 0, 0, 0, 0, 0, 0, false, 0);
  }
}
