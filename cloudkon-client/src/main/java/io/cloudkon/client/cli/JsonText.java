package io.cloudkon.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.Map;

/** Formats facts as an indented JSON object, with the keys in the order of the map. Stateless. */
final class JsonText {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonText() {}

  static String of(Map<String, Object> facts) {
    try {
      return MAPPER.writeValueAsString(facts);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
