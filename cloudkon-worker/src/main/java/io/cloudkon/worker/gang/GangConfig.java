package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangSettings;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a worker for HPC jobs.
 *
 * @param settings its machines' settings
 * @param rmiAddress by which other workers reach it; null means this machine's private address
 * @param rmiPort where it listens; 0, the default, means any free port
 * @param rmiTls whether calls between workers are encrypted, as by default
 */
public record GangConfig(
    GangSettings settings, @Nullable String rmiAddress, int rmiPort, boolean rmiTls) {}
