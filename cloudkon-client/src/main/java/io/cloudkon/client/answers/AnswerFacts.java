package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;

/** The facts about the selected answers that decide on the columns of a table. Not thread safe. */
final class AnswerFacts {
  /** The name of the worker in the client's own process. */
  private static final String LOCAL = "local";

  private boolean returned;
  private boolean elsewhere;

  /** Adds a selected answer. */
  void add(JsonNode line) {
    returned |= line.has(Column.OUTPUT.key());
    String worker = line.path(Column.WORKER.key()).asText();
    elsewhere |= !worker.isEmpty() && !worker.equals(LOCAL);
  }

  /** Whether a task returned something, as handlers do. */
  boolean hasReturned() {
    return returned;
  }

  /** Whether all tasks ran in the client's own process, so that their worker says nothing. */
  boolean areLocal() {
    return !elsewhere;
  }
}
