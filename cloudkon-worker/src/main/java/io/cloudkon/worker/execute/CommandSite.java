package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.GuardedProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place where a command starts, and its settings.
 *
 * @param environment variables that are added to the inherited ones
 * @param inherited the worker's variables that it inherits
 * @param captureBytes the maximum number of bytes that are kept of each output
 * @param started the start in epoch microseconds
 * @param process receives the command once it is prepared
 */
record CommandSite(
    Path directory,
    Map<String, String> environment,
    Map<String, String> inherited,
    int captureBytes,
    long started,
    AtomicReference<@Nullable GuardedProcess> process) {

  /** The complete environment of the command. */
  Map<String, String> whole() {
    Map<String, String> whole = new HashMap<>(inherited);
    whole.putAll(environment);
    return whole;
  }
}
