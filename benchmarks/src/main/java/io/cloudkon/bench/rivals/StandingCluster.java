package io.cloudkon.bench.rivals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A running cluster of CloudKon: an emulator, and one worker with {@value Exercise#SLOTS} slots.
 *
 * @param queue its queue
 * @param environment the environment variables that point the SDK at its emulator
 * @param end ends its processes
 */
public record StandingCluster(String queue, Map<String, String> environment, End end) {

  /** Ends the processes of a cluster. */
  public interface End {
    void end() throws IOException, InterruptedException;
  }

  /** Starts a cluster. */
  public interface Starter {
    /** Starts a cluster with its files in this folder; returns when the worker is ready. */
    StandingCluster start(Path folder, int slots) throws IOException, InterruptedException;
  }
}
