package io.cloudkon.core.faults;

import java.util.List;
import java.util.function.Consumer;

/**
 * Runs worlds; one that fails is run again with a trace, which is the same run, as everything comes
 * from the seed.
 */
final class Runs {
  private static final int TRACE_LINES = 400;

  private Runs() {}

  static World run(Scenario scenario, Settings settings, String title, Consumer<World> script) {
    World world = new World(scenario, settings);
    try {
      script.accept(world);
      world.runToTheEnd();
      return world;
    } catch (Violation | RuntimeException e) {
      String trace = trace(scenario, settings, script);
      throw new AssertionError(
          "%s, %s, seed %d, %s: %s%n%s"
              .formatted(
                  scenario.name(),
                  scenario.consistency().label(),
                  settings.seed(),
                  title,
                  e,
                  trace),
          e);
    }
  }

  private static String trace(Scenario scenario, Settings settings, Consumer<World> script) {
    World again = new World(scenario, settings.withTrace());
    try {
      script.accept(again);
      again.runToTheEnd();
    } catch (Violation | RuntimeException expected) {
      again.trace("%s", expected);
    }
    List<String> lines = again.traced();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TRACE_LINES), lines.size()));
  }
}
