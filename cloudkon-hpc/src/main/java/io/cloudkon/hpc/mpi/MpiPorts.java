package io.cloudkon.hpc.mpi;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports on which mpiexec and the ranks of MPI programs listen. Immutable.
 *
 * @param low the first port, from 1
 * @param high the last port, up to 65535
 */
public record MpiPorts(int low, int high) {
  private static final int MAX_PORT = 65_535;
  private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,5}):([0-9]{1,5})");

  public MpiPorts {
    if (low < 1 || high > MAX_PORT || high < low) {
      throw new IllegalArgumentException(
          "%d:%d is not a range of ports; expected LOW:HIGH within 1 and 65535, such as 7100:7199"
              .formatted(low, high));
    }
  }

  /**
   * Parses {@code LOW:HIGH}.
   *
   * @throws IllegalArgumentException if the text is not a range of ports; the message says what was
   *     expected
   */
  public static MpiPorts parse(String text) {
    Matcher written = WRITTEN.matcher(text.strip());
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a range of ports; expected LOW:HIGH within 1 and 65535, such as 7100:7199"
              .formatted(text));
    }
    return new MpiPorts(Integer.parseInt(written.group(1)), Integer.parseInt(written.group(2)));
  }

  /** The number of ports. */
  public int count() {
    return high - low + 1;
  }

  /**
   * The variables that restrict mpiexec and MPICH's TCP transports to these ports: MPICH's own
   * (ch3), UCX's and libfabric's. libfabric's old provider {@code sockets} does not support a range
   * and is excluded; {@code tcp} replaces it.
   */
  public Map<String, String> environment() {
    return Map.of(
        "MPIEXEC_PORT_RANGE",
        low + ":" + high,
        "MPIR_CVAR_CH3_PORT_RANGE",
        low + ":" + high,
        "UCX_TCP_PORT_RANGE",
        low + "-" + high,
        "FI_TCP_PORT_LOW_RANGE",
        Integer.toString(low),
        "FI_TCP_PORT_HIGH_RANGE",
        Integer.toString(high),
        "FI_PROVIDER",
        "^sockets");
  }
}
