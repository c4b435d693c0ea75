package io.cloudkon.client.plan;

/**
 * The forecast for one fleet. Immutable.
 *
 * @param workers the number of instances
 * @param slots the slots of all instances
 * @param makespanSeconds from the first send to the last result
 * @param efficiency the tasks' own time divided by that of all slots, from 0 to 1; 0 if tasks take
 *     no time
 * @param tasksPerSecond the throughput over the whole run
 * @param bill what the run costs
 * @param limit the bottleneck
 * @param simulated the simulation behind the forecast
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
