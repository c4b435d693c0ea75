package io.cloudkon.core.protocol.intake;

/**
 * The work that a worker has in hand, as the intake sees it. Times in microseconds.
 *
 * @param slots its slots
 * @param freeSlots slots that run nothing
 * @param soonMicros until the next slot is likely to be free; 0 if one is; infinite if nobody can
 *     tell
 * @param begunTasks tasks of begun bundles that no slot has
 * @param begunMicros about how long those take on one slot; NaN if unknown
 * @param held bundles held ahead
 * @param heldMicros about how long those take on one slot; NaN if unknown
 * @param heldTasks tasks of those
 * @param freeAtClaim slots that are likely to be free when a claim asked for now is there
 * @param freeAtReceive slots that are likely to be free when a bundle asked for now may start
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
