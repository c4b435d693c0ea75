package io.cloudkon.client.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The words that users of similar programs, or newcomers, try as a command. */
final class CommandsOfOtherTools {
  private static final Map<String, String> INSTEAD = new HashMap<>();

  static {
    put("an HPC job is a task with \"ranks\" in a workload of client", "hpc", "mpi");
    put(
        "run submits one command for many values, client a workload file",
        "submit",
        "sbatch",
        "qsub");
    put("cancel ends a run", "kill", "scancel", "qdel");
    put("cancel ends a run, teardown removes a cluster; a worker ends with Ctrl-C", "stop");
    put("worker runs a cluster's tasks, provisioner starts workers", "start");
    put("cat prints what a task has printed", "log", "logs");
    put(
        "runs lists the runs, status shows a cluster",
        "jobs",
        "list",
        "ls",
        "ps",
        "queue",
        "squeue",
        "qstat");
    put("runs lists the runs, results shows the tasks of one", "sacct");
    put("status --watch keeps showing a cluster", "top", "watch");
    put(
        "client --serve takes tasks from standard input while others run; local serves an SQS on"
            + " this machine",
        "serve");
  }

  private CommandsOfOtherTools() {}

  private static void put(String instead, String... words) {
    for (String word : words) {
      INSTEAD.put(word, instead);
    }
  }

  /** The clause for an error message about this word; empty if it is not one of them. */
  static Optional<String> instead(String word) {
    return Optional.ofNullable(INSTEAD.get(word));
  }
}
