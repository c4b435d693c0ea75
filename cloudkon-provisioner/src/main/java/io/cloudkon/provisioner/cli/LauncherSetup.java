package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sets up a launcher according to the options. The methods are called in the order of their
 * declaration.
 */
interface LauncherSetup {

  /**
   * Checks what can be checked without a service.
   *
   * @throws UsageException if an option cannot be used
   */
  void check() throws IOException;

  /**
   * Describes the workers that it launches; may call a service.
   *
   * @throws UsageException if no worker could be launched
   */
  Workers workers(AwsCloud cloud);

  /** Opens the launcher, after {@link #workers}. */
  Opened open(AwsCloud cloud, SystemTime time) throws IOException;

  /**
   * The properties of the workers that a launcher launches.
   *
   * @param slots the number of slots to plan with; a worker has at least as many
   * @param usdPerHour the maximum price of one worker in USD an hour; 0 if it is not known
   * @param prices the prices in USD an hour, by type
   * @param typeSlots the number of slots by type; empty if all have {@code slots}
   */
  record Workers(
      int slots, double usdPerHour, Map<String, Double> prices, Map<String, Integer> typeSlots) {
    /** The properties before they are known. */
    static final Workers UNKNOWN = new Workers(1, 0, Map.of());

    public Workers {
      prices = Map.copyOf(prices);
      typeSlots = Map.copyOf(typeSlots);
    }

    /** The properties of workers that all have the same number of slots. */
    Workers(int slots, double usdPerHour, Map<String, Double> prices) {
      this(slots, usdPerHour, prices, Map.of());
    }
  }

  /** A launcher in use. */
  interface Opened extends AutoCloseable {
    InstanceLauncher launcher();

    /** A text for the user that says where its workers can be found. */
    String about();

    /**
     * Called when the provisioner was stopped: handles the workers that it launched.
     *
     * @param say receives what becomes of them, for the user
     */
    void drain(Consumer<String> say) throws InterruptedException;

    @Override
    void close();
  }
}
