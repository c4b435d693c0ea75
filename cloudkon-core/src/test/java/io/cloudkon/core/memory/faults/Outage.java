package io.cloudkon.core.memory.faults;

import java.time.Duration;
import java.util.Set;

/**
 * A time in which calls fail without effect.
 *
 * @param operations which calls
 * @param from its begin, after the plan was made
 * @param to its end, exclusive, after the plan was made
 */
public record Outage(Set<Operation> operations, Duration from, Duration to) {
  public Outage {
    operations = Set.copyOf(operations);
  }

  boolean covers(Operation operation, Duration now) {
    return operations.contains(operation) && now.compareTo(from) >= 0 && now.compareTo(to) < 0;
  }
}
