package io.cloudkon.core.port;

import java.util.List;

/**
 * The entries that workers write about themselves every few seconds. They are for monitoring only;
 * the protocol never relies on them.
 */
public interface WorkerRegistry {

  /** Writes a worker's entry over its last one. */
  void put(WorkerEntry entry);

  /** Removes a worker's entry when it leaves; an entry that does not exist is not a failure. */
  void remove(String worker);

  /** All entries, including those of dead workers until they expire. */
  List<WorkerEntry> list();
}
