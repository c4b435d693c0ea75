package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangSettings;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a worker for HPC jobs.
 *
 * @param settings the settings of its state machines
 * @param rmiAddress the address at which other workers reach it; null means this machine's private
 *     address
 * @param rmiPort the port on which it listens; 0, the default, means any free port
 * @param rmiTls whether calls between workers are encrypted; the default is true
 */
public record GangConfig(
    GangSettings settings, @Nullable String rmiAddress, int rmiPort, boolean rmiTls) {}
