package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The result of one task, with its command.
 *
 * @param line its line of {@code results.jsonl}
 * @param command the task's command; empty if the workload can no longer be read
 */
record Answer(JsonNode line, String command) {}
