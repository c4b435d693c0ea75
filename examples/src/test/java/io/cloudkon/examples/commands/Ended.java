package io.cloudkon.examples.commands;

import java.util.List;

/** Commands that have run to their end. */
public record Ended(int exitCode, String stdout, String stderr) {

  /**
   * The lines they printed after the client's own report, which ends with where the results lie.
   */
  public List<String> linesAfterReport() {
    List<String> lines = stdout.lines().toList();
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).startsWith("  Results ")) {
        return lines.subList(i + 1, lines.size());
      }
    }
    throw new AssertionError("no report in: " + stdout);
  }

  /** Fails if one of them did. */
  public Ended requireSuccess() {
    if (exitCode != 0) {
      throw new AssertionError("exit code %d: %s%s".formatted(exitCode, stdout, stderr));
    }
    return this;
  }
}
