package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The result of one task, and the task.
 *
 * @param line its line of {@code results.jsonl}
 */
record Answer(JsonNode line, SentTask sent) {}
