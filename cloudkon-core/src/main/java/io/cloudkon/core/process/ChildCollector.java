package io.cloudkon.core.process;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The garbage collector of the JVMs that this process starts: the one that takes least, unless the
 * user has chosen one by a variable that they inherit. HotSpot refuses two.
 */
public final class ChildCollector {
  /** The variables whose options a JVM adds to those of its command line. */
  private static final List<String> INHERITED =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  private static final Pattern CHOSEN = Pattern.compile("-XX:\\+Use\\w*GC");

  private ChildCollector() {}

  /** The options for JVMs with the environment of this process. */
  public static List<String> options() {
    return options(System.getenv());
  }

  /** The options for JVMs with this environment; none if it names a collector. */
  static List<String> options(Map<String, String> environment) {
    boolean chosen =
        INHERITED.stream()
            .anyMatch(name -> CHOSEN.matcher(environment.getOrDefault(name, "")).find());
    return chosen ? List.of() : List.of("-XX:+UseSerialGC");
  }
}
