package io.cloudkon.client.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The options of GNU parallel and Slurm that {@code run} has under other names, or does without.
 *
 * @see <a href="https://www.gnu.org/software/parallel/man.html">GNU parallel</a>
 * @see <a href="https://slurm.schedmd.com/sbatch.html">sbatch</a>
 */
final class OptionsOfOtherTools {
  private static final String SLOTS =
      "the number of tasks that run at once is -t N here, and worker -t N on a cluster";
  private static final String FILE = "values from a file come after the command, as :::: FILE";
  private static final String PRINT = "--print prints the tasks and sends nothing";
  private static final String LOG =
      "every run keeps a results.jsonl with times and exit codes (results RUN)";
  private static final String ORDER =
      "cat RUN prints the outputs in the order of the values, and results RUN lists them";
  private static final String PROGRESS = "a terminal shows progress; --no-progress turns it off";
  private static final String COLUMNS =
      "each column is a file of its own here: :::: FILE ::::+ FILE, {1} and {2}";
  private static final String FILES = "--file TEMPLATE sends each task its own file";
  private static final String HOSTS =
      "each host runs its own worker -s QUEUE, and run -s QUEUE sends tasks to all of them";
  private static final String DIRECTORY =
      "to start elsewhere, put cd DIR && before the command, with --shell";
  private static final String PACE =
      "there is no such option: tasks start as soon as a slot is free";
  private static final String RESOURCES =
      "a task has one slot of its worker: start workers with fewer slots (worker -t N) for large"
          + " tasks";
  private static final String COUNT =
      "each task has one value of each source here; --array 1-N runs a command once for each"
          + " number, which is appended unless {} stands elsewhere";
  private static final String COLLECT = "--collect PATTERN brings files back";

  private static final String RERUN =
      "rerun RUN runs tasks again: --failed or --lost ones, or --task ID";
  private static final String RESUME =
      "client --resume RUN goes on with a run on a cluster. rerun RUN runs what has not succeeded,"
          + " also of a run on this machine";
  private static final String RANKS =
      "an HPC job is a line of a workload for client: hpc N exec COMMAND, or mpi N PROGRAM";

  private static final Map<String, String> INSTEAD = new HashMap<>();

  static {
    put(SLOTS, "-j", "--jobs", "--max-procs", "-P", "--slots", "--threads", "--workers");
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
    put(HOSTS, "-S", "--sshlogin", "--sshloginfile", "--slf");
    put(DIRECTORY, "--workdir", "--wd", "--chdir", "-D");
    put(PACE, "--delay");
    put(RESOURCES, "--mem", "--mem-per-cpu", "--memfree", "--cpus-per-task", "-c", "--cpus");
    put(RERUN, "--failed", "--lost", "--retry-failed", "--resume-failed");
    put(RESUME, "--resume");
    put(RANKS, "--ranks", "--mpi", "--nodes");
    put(COUNT, "-n", "--ntasks", "-N", "--max-args", "--max-replace-args");
  }

  private OptionsOfOtherTools() {}

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
