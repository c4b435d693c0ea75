package io.cloudkon.core.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats JSON for programs, indented, without a line end. Stateless. */
public final class JsonText {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonText() {}

  /**
   * The facts as an object, with the keys in the order of the map.
   *
   * @param facts values that JSON has: text, numbers, true and false, null, lists and maps of them
   */
  public static String of(Map<String, ? extends @Nullable Object> facts) {
    return text(facts);
  }

  /** The object or array as text. */
  public static String of(JsonNode node) {
    return text(node);
  }

  private static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
