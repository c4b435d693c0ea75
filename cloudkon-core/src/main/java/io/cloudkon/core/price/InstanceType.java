package io.cloudkon.core.price;

/**
 * A type of EC2 instance on which a worker runs.
 *
 * @param name as EC2 knows it
 * @param usdPerHour on demand, Linux
 * @param slots of the worker: the instance's vCPUs, unless said otherwise
 */
public record InstanceType(String name, double usdPerHour, int slots) {}
