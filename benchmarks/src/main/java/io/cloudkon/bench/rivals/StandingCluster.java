package io.cloudkon.bench.rivals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A cluster of ours that stands: an emulator, and one worker with {@value Exercise#SLOTS} slots.
 *
 * @param queue its name
 * @param environment what points the SDK at its emulator
 * @param end ends its processes
 */
public record StandingCluster(String queue, Map<String, String> environment, End end) {

  /** Ends the processes of a cluster. */
  public interface End {
    void end() throws IOException, InterruptedException;
  }

  /** Starts a cluster. */
  public interface Starter {
    /** Returns when the worker is ready; its files go to the folder. */
    StandingCluster start(Path folder, int slots) throws IOException, InterruptedException;
  }
}
