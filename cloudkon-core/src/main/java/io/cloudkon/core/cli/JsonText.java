package io.cloudkon.core.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats facts as an indented JSON object, with the keys in the order of the map. Stateless. */
public final class JsonText {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonText() {}

  /**
   * The object as text.
   *
   * @param facts values that JSON has: text, numbers, true and false, null, lists and maps of them
   */
  public static String of(Map<String, ? extends @Nullable Object> facts) {
    try {
      return MAPPER.writeValueAsString(facts);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
