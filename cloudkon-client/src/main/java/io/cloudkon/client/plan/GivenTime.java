package io.cloudkon.client.plan;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.util.Locale;

/**
 * A value of {@code --duration}: {@code 50ms}, {@code java=2ms}, {@code java:sha256=2ms}, {@code
 * exec:./words=10ms..2s}. Immutable.
 *
 * @param kind {@code exec} or {@code java}; empty for both
 * @param name the name of the handler or program; empty for all of the kind
 * @param takes the duration of these tasks
 */
record GivenTime(String kind, String name, Spread takes) {
  /**
   * Parses it.
   *
   * @throws IllegalArgumentException if it is not valid; the message says what was expected
   */
  static GivenTime parse(String text) {
    int equals = text.lastIndexOf('=');
    if (equals < 0) {
      return new GivenTime("", "", Spread.parse(text));
    }
    String whose = text.substring(0, equals);
    int colon = whose.indexOf(':');
    String kind = colon < 0 ? whose : whose.substring(0, colon);
    String name = colon < 0 ? "" : whose.substring(colon + 1);
    if ((!kind.equals("exec") && !kind.equals("java")) || (colon >= 0 && name.isEmpty())) {
      throw new IllegalArgumentException(
          "'%s' is not a kind of task; expected exec, java, exec:PROGRAM or java:HANDLER"
              .formatted(whose));
    }
    return new GivenTime(kind, name, Spread.parse(text.substring(equals + 1)));
  }

  /** Whether it applies to this work. */
  boolean fits(Work work) {
    return (kind.isEmpty() || kind.equals(work.kind().name().toLowerCase(Locale.ROOT)))
        && (name.isEmpty() || name.equals(name(work)));
  }

  /** The name of a handler or program, by which durations are distinguished. */
  static String name(Work work) {
    String key = LearnedDurations.key(work);
    return work instanceof Work.Exec ? key.substring("exec ".length()) : key;
  }

  /** How specific it is: the most specific value applies. */
  int weight() {
    return (kind.isEmpty() ? 0 : 1) + (name.isEmpty() ? 0 : 1);
  }
}
