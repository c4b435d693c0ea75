package io.cloudkon.client.report;

import io.cloudkon.core.error.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses and checks the tags of a run, written as {@code KEY=VALUE}. Stateless. */
public final class RunTags {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final int MOST = 20;
  private static final int CHARS = 200;

  private RunTags() {}

  /**
   * Parses tags into a map by key.
   *
   * @throws UsageException if a tag has no valid key, is too long or is given twice, or if there
   *     are too many
   */
  public static Map<String, String> parse(List<String> texts) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String text : texts) {
      int sign = text.indexOf('=');
      String key = sign < 0 ? text : text.substring(0, sign);
      if (sign < 0 || !KEY.matcher(key).matches()) {
        throw new UsageException(
            "--tag %s: expected KEY=VALUE, the key of at most 64 letters, digits, '.', '_', '-'"
                .formatted(text));
      }
      checkText("--tag " + key, text.substring(sign + 1));
      if (tags.put(key, text.substring(sign + 1)) != null) {
        throw new UsageException("--tag %s is given twice".formatted(key));
      }
    }
    if (tags.size() > MOST) {
      throw new UsageException("--tag: expected at most %d of them".formatted(MOST));
    }
    return tags;
  }

  /**
   * Checks a name or a value: one line of at most 200 characters.
   *
   * @param what the option
   * @throws UsageException if it is not
   */
  public static void checkText(String what, String text) {
    if (text.length() > CHARS || text.chars().anyMatch(Character::isISOControl)) {
      throw new UsageException(
          "%s: expected one line of at most %d characters".formatted(what, CHARS));
    }
  }
}
