package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The result of one task, with its command.
 *
 * @param line its line of {@code results.jsonl}
 * @param command what it was to do; empty where the workload cannot be read any more
 */
record Answer(JsonNode line, String command) {}
