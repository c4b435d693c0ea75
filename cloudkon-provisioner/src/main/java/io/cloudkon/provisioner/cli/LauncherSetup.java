package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.util.Map;

/** A launcher as the options describe it, in the order in which it is brought into use. */
interface LauncherSetup {

  /**
   * Checks what can be checked without a service.
   *
   * @throws UsageException if an option cannot be used
   */
  void check() throws IOException;

  /**
   * The workers that it launches; may ask a service.
   *
   * @throws UsageException if none could be launched
   */
  Workers workers(AwsCloud cloud);

  /** Opens it, after {@link #workers}. */
  Opened open(AwsCloud cloud, SystemTime time) throws IOException;

  /**
   * The workers that a launcher launches.
   *
   * @param slots to plan with: a worker has as many, or more
   * @param usdPerHour what one costs at most; 0 if that is not known
   * @param prices USD an hour by type
   */
  record Workers(int slots, double usdPerHour, Map<String, Double> prices) {
    /** Before they are known. */
    static final Workers UNKNOWN = new Workers(1, 0, Map.of());

    public Workers {
      prices = Map.copyOf(prices);
    }
  }

  /** A launcher in use. */
  interface Opened extends AutoCloseable {
    InstanceLauncher launcher();

    /** Where to look for its workers, for people. */
    String about();

    /** The provisioner ends: what is to become of its workers. */
    void drain() throws InterruptedException;

    @Override
    void close();
  }
}
