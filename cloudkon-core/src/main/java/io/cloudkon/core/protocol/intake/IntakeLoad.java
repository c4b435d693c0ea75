package io.cloudkon.core.protocol.intake;

/**
 * The work that a worker holds, as input for the intake. Times in microseconds.
 *
 * @param slots the number of its slots
 * @param freeSlots the number of free slots
 * @param soonMicros the estimated time until the next slot is free; 0 if one is free; infinite if
 *     unknown
 * @param begunTasks the number of tasks of begun bundles that are not in a slot
 * @param begunMicros their estimated time on one slot; NaN if unknown
 * @param held the number of bundles held in advance
 * @param heldMicros their estimated time on one slot; NaN if unknown
 * @param heldTasks the number of their tasks
 * @param freeAtClaim the estimated number of free slots when a claim requested now is granted
 * @param freeAtReceive the estimated number of free slots when a bundle requested now may start
 */
public record IntakeLoad(
    int slots,
    int freeSlots,
    double soonMicros,
    int begunTasks,
    double begunMicros,
    int held,
    double heldMicros,
    int heldTasks,
    int freeAtClaim,
    int freeAtReceive) {}
