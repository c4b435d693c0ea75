package io.cloudkon.functional;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/** What the line of an HPC job in a {@code results.jsonl} says. */
record JobLine(JsonNode json) {

  String status() {
    return json.path("status").asText();
  }

  String error() {
    return json.path("error").asText();
  }

  int exitCode() {
    return json.path("exitCode").asInt();
  }

  String stdout() {
    return json.path("stdout").asText();
  }

  String stderr() {
    return json.path("stderr").asText();
  }

  /** What rank 0 answered. */
  String output() {
    return json.path("output").asText();
  }

  private <T> List<T> ofRanks(Function<JsonNode, T> field) {
    return StreamSupport.stream(json.path("ranks").spliterator(), false).map(field).toList();
  }

  /** Their numbers, in the order of the line. */
  List<Integer> ranks() {
    return ofRanks(rank -> rank.path("rank").asInt());
  }

  /** Who ran each, by rank. */
  List<String> workers() {
    return ofRanks(rank -> rank.path("worker").asText());
  }

  /** By rank; of a handler its answer. */
  List<String> rankStdouts() {
    return ofRanks(rank -> rank.path("stdout").asText());
  }

  /** By rank. */
  List<Integer> rankExitCodes() {
    return ofRanks(rank -> rank.path("exitCode").asInt());
  }
}
