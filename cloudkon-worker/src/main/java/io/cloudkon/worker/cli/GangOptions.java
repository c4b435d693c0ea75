package io.cloudkon.worker.cli;

import io.cloudkon.core.aws.Ec2;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.capacity.CapacitySettings;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.hpc.mpi.MpiPorts;
import io.cloudkon.hpc.rmi.Addresses;
import io.cloudkon.worker.gang.GangConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a worker's part in HPC jobs, as a picocli mixin. */
final class GangOptions {

  @Option(
      names = "--rmi-address",
      paramLabel = "HOST",
      description = "Address for other workers. Default: its private address.")
  @Nullable String rmiAddress;

  @Option(
      names = "--rmi-port",
      paramLabel = "PORT",
      description = "Port for calls from other workers. Default: any.")
  @Nullable Integer rmiPort;

  @Option(
      names = "--rmi-tls",
      paramLabel = "on|off",
      description = "Encrypt calls between workers. Default: on.")
  @Nullable String rmiTls;

  @Option(
      names = "--mpi-ports",
      paramLabel = "LOW:HIGH",
      description = "Ports for MPI programs and mpiexec. Default: any.")
  @Nullable String mpiPorts;

  @Option(
      names = "--max-ranks",
      paramLabel = "N",
      description = "Maximum ranks per job. Default: the fleet's slots.")
  @Nullable Integer maxRanks;

  @Option(
      names = "--gang-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "How long a gang may take to fill. Default: 10s.")
  @Nullable Duration gangTimeout;

  @Option(
      names = "--gang-patience",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Wait before slots are reserved for a job. Default: 60s.")
  @Nullable Duration gangPatience;

  /** The configuration for HPC jobs of a worker with these settings. */
  GangConfig config(WorkerSettings settings) {
    if (rmiPort != null && (rmiPort < 0 || rmiPort > 65_535)) {
      throw new UsageException("--rmi-port %d: expected 0 to 65535; 0 is any".formatted(rmiPort));
    }
    String tls = rmiTls == null ? "on" : rmiTls.toLowerCase(Locale.ROOT);
    if (!tls.equals("on") && !tls.equals("off")) {
      throw new UsageException("--rmi-tls %s: expected on or off".formatted(rmiTls));
    }
    if (maxRanks != null && (maxRanks < 1 || maxRanks > Limits.RANKS)) {
      throw new UsageException(
          "--max-ranks %d: expected 1 to %d".formatted(maxRanks, Limits.RANKS));
    }
    if (gangTimeout != null && gangTimeout.isZero()) {
      throw new UsageException("--gang-timeout 0: expected a time above 0, such as 10s");
    }
    GangSettings gangs =
        new GangSettings(
            settings.id(),
            settings.slots(),
            settings.bundles(),
            gangTimeout == null ? GangSettings.GANG_TIMEOUT_MILLIS : gangTimeout.toMillis(),
            gangPatience == null ? GangSettings.PATIENCE_MILLIS : gangPatience.toMillis(),
            maxRanks == null ? 0 : maxRanks,
            CapacitySettings.LOOK_MILLIS);
    return new GangConfig(gangs, address(), rmiPort == null ? 0 : rmiPort, tls.equals("on"));
  }

  /**
   * The warning for a worker that no other machine can call.
   *
   * @param own tells this machine's address, as {@link Addresses#own} does; called only if nothing
   *     else does
   * @param alone whether all workers are on this machine
   */
  Optional<String> warning(@Nullable GangConfig gangs, Supplier<String> own, boolean alone) {
    if (gangs == null || rmiAddress != null || alone) {
      return Optional.empty();
    }
    String address = gangs.rmiAddress() == null ? own.get() : gangs.rmiAddress();
    return Addresses.isLoopback(address)
        ? Optional.of(
            "this machine has no private IPv4 address: workers on other machines cannot call it for"
                + " HPC jobs; name its address with --rmi-address, or take tasks only with --roles"
                + " mtc")
        : Optional.empty();
  }

  private @Nullable String address() {
    return rmiAddress == null && Ec2.metadataService().isPresent()
        ? Addresses.ofInstance()
        : rmiAddress;
  }

  /**
   * The ports of MPI programs; null means any port.
   *
   * @param slots the number of slots, each of which may run a rank and manage a gang
   */
  @Nullable MpiPorts mpiPorts(int slots) {
    if (mpiPorts == null) {
      return null;
    }
    MpiPorts ports;
    try {
      ports = MpiPorts.parse(mpiPorts);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--mpi-ports: " + e.getMessage(), e);
    }
    if (ports.count() < 2 * slots) {
      throw new UsageException(
          "--mpi-ports %s has %d ports: expected %d or more for %d slots, because each may run a rank and an mpiexec; four times as many are better"
              .formatted(mpiPorts, ports.count(), 2 * slots, slots));
    }
    return ports;
  }

  /** Rejects all of these options, for a worker that takes no part in HPC jobs. */
  void refuseAll() {
    refuseWithoutHpc("--rmi-address", rmiAddress);
    refuseWithoutHpc("--rmi-port", rmiPort);
    refuseWithoutHpc("--rmi-tls", rmiTls);
    refuseWithoutHpc("--mpi-ports", mpiPorts);
    refuseWithoutHpc("--max-ranks", maxRanks);
    refuseWithoutHpc("--gang-timeout", gangTimeout);
    refuseWithoutHpc("--gang-patience", gangPatience);
  }

  private static void refuseWithoutHpc(String option, @Nullable Object value) {
    if (value != null) {
      throw new UsageException(
          "%s cannot be combined with --roles mtc: it is for HPC jobs".formatted(option));
    }
  }
}
