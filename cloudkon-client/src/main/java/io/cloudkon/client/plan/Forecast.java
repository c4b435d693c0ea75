package io.cloudkon.client.plan;

/**
 * The forecast for one fleet. Immutable.
 *
 * @param workers how many instances
 * @param slots of all of them
 * @param makespanSeconds from the first send to the last result
 * @param efficiency the tasks' own time over that of all slots, from 0 to 1; 0 where tasks take
 *     none
 * @param tasksPerSecond over the whole run
 * @param bill what it costs
 * @param limit what keeps it from being faster
 * @param simulated what that is known from
 */
record Forecast(
    int workers,
    long slots,
    double makespanSeconds,
    double efficiency,
    double tasksPerSecond,
    Bill bill,
    Bottleneck limit,
    Simulated simulated) {}
