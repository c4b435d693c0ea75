package io.cloudkon.client.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The options of GNU parallel that {@code run} has under other names.
 *
 * @see <a href="https://www.gnu.org/software/parallel/man.html">GNU parallel</a>
 */
final class ParallelOptions {
  private static final String SLOTS =
      "the number of tasks that run at once is -t N here, and worker -t N on a cluster";
  private static final String FILE = "values from a file come after the command, as :::: FILE";
  private static final String PRINT = "--print prints the tasks and sends nothing";
  private static final String LOG =
      "every run keeps a results.jsonl with times and exit codes (results RUN)";
  private static final String ORDER = "results RUN lists the tasks in the order of the values";
  private static final String PROGRESS = "a terminal shows progress; --no-progress turns it off";
  private static final String COLUMNS =
      "each column is a file of its own here: :::: FILE ::::+ FILE, {1} and {2}";
  private static final String FILES = "--file TEMPLATE sends each task its own file";
  private static final String COLLECT = "--collect PATTERN brings files back";

  private static final Map<String, String> INSTEAD = new HashMap<>();

  static {
    put(SLOTS, "-j", "--jobs", "--max-procs", "-P");
    put(FILE, "-a", "--arg-file");
    put(PRINT, "--dry-run", "--dryrun");
    put(LOG, "--joblog");
    put(ORDER, "-k", "--keep-order", "--keeporder");
    put("values reach the program unchanged, so nothing needs quoting", "--quote");
    put(PROGRESS, "--bar", "--progress", "--eta");
    put(COLUMNS, "-C", "--colsep");
    put(FILES, "--transfer", "--transferfile", "--tf");
    put("--ship PATH sends a file to every task", "--basefile", "--bf");
    put(COLLECT, "--return");
    put("--timeout TIME limits each task", "--time");
    put(":::+ links a source with the one before it", "--link", "--xapply");
    put("--max-failures N ends a run early", "--halt", "--halt-on-error");
    put("--out DIR names the folder of the results", "--results", "--res");
  }

  private ParallelOptions() {}

  private static void put(String instead, String... options) {
    for (String option : options) {
      INSTEAD.put(option, instead);
    }
  }

  /** The clause for an error message about this option; empty if it is not one of them. */
  static Optional<String> instead(String option) {
    String name = option.matches("-[A-Za-z][0-9].*") ? option.substring(0, 2) : option;
    return Optional.ofNullable(INSTEAD.get(name));
  }
}
