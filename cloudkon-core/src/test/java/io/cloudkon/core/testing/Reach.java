package io.cloudkon.core.testing;

import java.util.Map;
import org.opentest4j.TestAbortedException;

/** Where a {@link Target} answers, or why it does not. */
public sealed interface Reach {
  /** What it is about. */
  Target target();

  /**
   * It answers.
   *
   * @param where it runs, in words
   * @param environment the variables that point the SDK, or a process, at it; none if the default
   *     chains find it
   */
  record At(Target target, String where, Map<String, String> environment) implements Reach {}

  /**
   * It does not answer.
   *
   * @param why and what to do about it, in a line
   */
  record Nowhere(Target target, String why) implements Reach {}

  /**
   * The variables that point at it. Prints which suite runs against what.
   *
   * @param suite the tests that want them
   * @throws TestAbortedException if there are none: which suite was not run against what, and why
   */
  default Map<String, String> environmentFor(Class<?> suite) {
    return switch (this) {
      case At at -> {
        System.out.println(suite.getSimpleName() + " runs against " + at.where);
        yield at.environment;
      }
      case Nowhere nowhere ->
          throw new TestAbortedException(
              "%s was not run against %s: %s"
                  .formatted(suite.getSimpleName(), target(), nowhere.why));
    };
  }
}
