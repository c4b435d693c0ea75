package io.cloudkon.core.price;

/**
 * A type of EC2 instance on which a worker runs.
 *
 * @param name EC2's name of the type
 * @param usdPerHour the on-demand price for Linux in USD an hour
 * @param slots the slots of its worker, which are the instance's vCPUs by default
 */
public record InstanceType(String name, double usdPerHour, int slots) {}
