package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of a given type from a parser that holds exactly one line, and reports values of
 * other types.
 */
final class JsonValues {
  private final JsonParser json;

  JsonValues(JsonParser json) {
    this.json = json;
  }

  /** The next token of this line. */
  JsonToken next() throws IOException, BadLineException {
    JsonToken token = json.nextToken();
    // The parser would wait for more input, but the line is complete.
    if (token == null || token == JsonToken.NOT_AVAILABLE) {
      throw new BadLineException(
          "the JSON object does not end on its line", "expected one whole object per line");
    }
    return token;
  }

  /** A string of any characters, well-formed as Unicode. */
  String string(String what) throws IOException, BadLineException {
    return text(what, next(), "a string");
  }

  /** A string that can be passed to a process: without NUL characters. */
  String plain(String what) throws IOException, BadLineException {
    return plain(what, next(), "a string");
  }

  /** An array of strings. */
  void strings(String what, boolean plain, List<String> into) throws IOException, BadLineException {
    String expected = "an array of strings";
    if (next() != JsonToken.START_ARRAY) {
      throw wrongType(what, expected);
    }
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      into.add(plain ? plain(what, token, expected) : text(what, token, expected));
    }
  }

  /** An object of strings: environment variables. */
  void environment(String what, Map<String, String> into) throws IOException, BadLineException {
    String expected = "an object whose values are strings";
    if (next() != JsonToken.START_OBJECT) {
      throw wrongType(what, expected);
    }
    while (next() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0 || !paired(name)) {
        throw new BadLineException(
            "\"" + what + "\" has a variable named " + Excerpt.quote(name),
            "expected a name that is not empty and has no = and no NUL character");
      }
      if (into.put(name, plain(what, next(), expected)) != null) {
        throw new BadLineException(
            "\"" + what + "\" gives the variable " + Excerpt.quote(name) + " twice",
            "expected each variable once");
      }
    }
  }

  /** The digits of a whole number, or a string. */
  String stringOrInteger(String what) throws IOException, BadLineException {
    JsonToken token = next();
    return token == JsonToken.VALUE_NUMBER_INT
        ? json.getText()
        : text(what, token, "a string or a whole number");
  }

  /** The next value's text if it is a number, otherwise null; the value becomes the current one. */
  @Nullable String numberOrNull() throws IOException, BadLineException {
    JsonToken token = next();
    return token.isNumeric() ? json.getText() : null;
  }

  /** The current value, which must be a string. */
  String currentString(String what, String expected) throws IOException, BadLineException {
    return text(what, json.currentToken(), expected);
  }

  /** The refusal of the current value: its type and the expected one. */
  BadLineException wrongType(String what, String expected) {
    return new BadLineException(
        "\"" + what + "\" holds " + describe(json.currentToken()), "expected " + expected);
  }

  private String plain(String what, JsonToken token, String expected)
      throws IOException, BadLineException {
    String text = text(what, token, expected);
    if (text.indexOf('\0') >= 0) {
      throw new BadLineException(
          "\"" + what + "\" holds a NUL character: " + Excerpt.quote(text),
          "expected text that can be given to a process");
    }
    return text;
  }

  private String text(String what, JsonToken token, String expected)
      throws IOException, BadLineException {
    if (token != JsonToken.VALUE_STRING) {
      throw wrongType(what, expected);
    }
    String text = json.getText();
    if (!paired(text)) {
      throw new BadLineException(
          "\"" + what + "\" holds half of a surrogate pair: " + Excerpt.quote(text),
          "expected both halves, \\ud83d\\ude00, or the character itself");
    }
    return text;
  }

  /** Whether the text can be written as UTF-8; an escape can denote half of a surrogate pair. */
  private static boolean paired(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }

  private static String describe(JsonToken token) {
    return switch (token) {
      case START_OBJECT, END_OBJECT -> "an object";
      case START_ARRAY, END_ARRAY -> "an array";
      case VALUE_STRING, FIELD_NAME -> "a string";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_NUMBER_FLOAT -> "a number with a fraction";
      case VALUE_TRUE -> "true";
      case VALUE_FALSE -> "false";
      case VALUE_NULL, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> "null";
    };
  }
}
