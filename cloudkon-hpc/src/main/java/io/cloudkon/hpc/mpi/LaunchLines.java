package io.cloudkon.hpc.mpi;

import io.cloudkon.core.error.CloudKonException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Collects the launch lines that mpiexec prints, each once, by rank. Not thread safe. */
final class LaunchLines {
  static final String LINE = "HYDRA_LAUNCH: ";
  static final String END = "HYDRA_LAUNCH_END";
  private static final Pattern PROXY = Pattern.compile("--proxy-id (\\d{1,9})(?: |$)");

  /** Stands for a line without a rank, which makes the whole block unusable. */
  private static final int UNKNOWN = -1;

  private final int ranks;
  private final Map<Integer, String> lines = new TreeMap<>();

  LaunchLines(int ranks) {
    this.ranks = ranks;
  }

  /** Adds the command of a line. */
  void add(String command) {
    Matcher proxy = PROXY.matcher(command);
    lines.put(proxy.find() ? Integer.parseInt(proxy.group(1)) : UNKNOWN, command);
  }

  /**
   * All commands, by rank. To be called after the last line was added.
   *
   * @throws CloudKonException if there is not exactly one per rank
   */
  List<String> all() {
    List<Integer> wanted = IntStream.range(0, ranks).boxed().toList();
    if (!List.copyOf(lines.keySet()).equals(wanted)) {
      throw new CloudKonException(
          "mpiexec printed launch lines for the proxies %s, where 0 to %d are needed: %s"
              .formatted(lines.keySet(), ranks - 1, lines.values()));
    }
    return List.copyOf(lines.values());
  }
}
