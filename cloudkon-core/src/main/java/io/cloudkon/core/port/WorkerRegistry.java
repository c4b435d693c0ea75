package io.cloudkon.core.port;

import java.util.List;

/**
 * The entries that workers write about themselves every few seconds. Monitoring only: the protocol
 * never relies on it.
 */
public interface WorkerRegistry {

  /** Writes a worker's entry over its last one. */
  void put(WorkerEntry entry);

  /** Removes a worker's entry as it leaves; one that does not exist is no failure. */
  void remove(String worker);

  /** All entries, those of workers that died among them until they expire. */
  List<WorkerEntry> list();
}
