package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.handler.TaskHandler;
import java.util.Map;

/** Handlers of both kinds by name; no name is in both. Immutable. */
record HandlerSet(Map<String, TaskHandler> tasks, Map<String, RankHandler> ranks) {
  static final HandlerSet EMPTY = new HandlerSet(Map.of(), Map.of());

  HandlerSet {
    tasks = Map.copyOf(tasks);
    ranks = Map.copyOf(ranks);
  }
}
