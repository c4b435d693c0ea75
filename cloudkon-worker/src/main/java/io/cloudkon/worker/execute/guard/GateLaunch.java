package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.spawn.PendingStarts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts commands behind a shell that waits for a word; used if they cannot be spawned. */
final class GateLaunch {
  private final StartRule rule;

  GateLaunch(StartRule rule) {
    this.rule = rule;
  }

  /**
   * Starts the shell, which waits before it becomes the command.
   *
   * @param environment the command's variables, the marked ones among them
   * @param marked those of the guard
   */
  GatedProcess prepare(
      GuardShells shells,
      GroupLaunch way,
      List<String> argv,
      Path directory,
      Map<String, String> environment,
      Map<String, String> marked,
      String mark)
      throws IOException {
    List<String> words = way.command(rule.command(argv, environment));
    ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
    Map<String, String> all = builder.environment();
    rule.apply(all);
    all.putAll(rule.early(environment, marked));
    Process process = PendingStarts.OF_THIS_PROCESS.during(builder::start);
    try {
      GatedProcess gated = new GatedProcess(shells, process, way.group(process), mark);
      shells.register(gated);
      rule.settle(process.pid());
      return gated;
    } catch (IOException | RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }
}
