package io.cloudkon.bench.rivals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The commands with which each system does an exercise, and their environment.
 *
 * @param home the checkout of CloudKon
 * @param scratch a folder for files, with a short path because Ray's sockets lie below it
 * @param scripts the folder of the rivals' scripts
 * @param pythons the Python of each system that a script runs
 * @param cluster CloudKon's cluster
 */
record CommandLines(
    Path home, Path scratch, Path scripts, Map<Competitor, Path> pythons, StandingCluster cluster) {
  /** The folder below the scratch folder for the results of Celery's tasks. */
  static final String CELERY_RESULTS = "celery-results";

  private static final String LAUNCHER = "cloudkon";

  /** The command that does an exercise once. */
  List<String> command(Competitor competitor, Exercise exercise) throws IOException {
    return switch (competitor) {
      case XARGS -> List.of("/bin/sh", "-c", xargs(exercise, competitor.tasks(exercise)));
      case LOCAL -> client(exercise, "-s", "LOCAL", "-t", Integer.toString(Exercise.SLOTS));
      case CLUSTER -> client(exercise, "-s", cluster.queue());
      case THREADS, HYPERQUEUE, CELERY, DASK, RAY -> script(competitor, exercise);
    };
  }

  /** The command of Celery's worker. */
  List<String> celeryWorker() {
    return List.of(python(Competitor.CELERY), script(Competitor.CELERY), "worker");
  }

  private static String xargs(Exercise exercise, int tasks) {
    return "seq %d | xargs -P%d -I{} /bin/sh -c '%s'"
        .formatted(tasks, Exercise.SLOTS, exercise.shellCommand());
  }

  private List<String> client(Exercise exercise, String... cluster) throws IOException {
    Path workload = scratch.resolve(exercise.name() + ".txt");
    if (Files.notExists(workload)) {
      Files.write(workload, Collections.nCopies(exercise.tasks(), exercise.line()));
    }
    return Stream.of(
            Stream.of(home.resolve(LAUNCHER).toString(), "client"),
            Stream.of(cluster),
            Stream.of("-w", workload.toString(), "--out", "none", "--json"))
        .flatMap(part -> part)
        .toList();
  }

  private List<String> script(Competitor competitor, Exercise exercise) {
    return List.of(
        python(competitor),
        script(competitor),
        exercise.kind().word(),
        Integer.toString(exercise.millis()),
        Integer.toString(competitor.tasks(exercise)));
  }

  private String script(Competitor competitor) {
    return scripts.resolve(PythonEnvironments.script(competitor)).toString();
  }

  private String python(Competitor competitor) {
    return pythons.getOrDefault(competitor, Path.of(PythonEnvironments.PYTHON)).toString();
  }

  /** Additions to this process's environment: endpoints, folders, and no telemetry. */
  Map<String, String> environment(Competitor competitor) {
    Map<String, String> added = new HashMap<>();
    switch (competitor) {
      case XARGS -> {}
      case LOCAL, CLUSTER -> {
        added.put("CLOUDKON_BUILD", "off");
        added.put("JAVA_HOME", System.getProperty("java.home"));
        added.putAll(cluster.environment());
      }
      case THREADS, HYPERQUEUE, CELERY, DASK, RAY -> {
        added.put("HOME", scratch.toString());
        added.put("PYTHONPATH", scripts.toString());
        added.put("PYTHONDONTWRITEBYTECODE", "1");
        added.put("RIVALS_TEMP", scratch.toString());
        added.put("RIVALS_RESULTS", scratch.resolve(CELERY_RESULTS).toString());
        added.put("RAY_USAGE_STATS_ENABLED", "0");
        added.put("RAY_AUTH_MODE", "disabled");
        added.put("DO_NOT_TRACK", "1");
        added.putAll(cluster.environment());
      }
    }
    return added;
  }
}
