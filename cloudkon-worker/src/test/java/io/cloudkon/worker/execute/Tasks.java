package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.List;
import java.util.Map;

/** Tasks as tests write them. */
public final class Tasks {
  private Tasks() {}

  public static Task of(Work work) {
    return timed(work, 0);
  }

  public static Task timed(Work work, long timeoutMillis) {
    return new Task(6, "seven", work, timeoutMillis);
  }

  public static Task sleep(long millis) {
    return of(new Work.Sleep(millis));
  }

  public static Task java(String handler, String... args) {
    return of(new Work.JavaCall(handler, List.of(args)));
  }

  public static Task shell(String line) {
    return of(Work.Exec.shell(line));
  }

  public static Task shell(String line, byte[] stdin) {
    return of(new Work.Exec(List.of("/bin/sh", "-c", line), null, Map.of(), stdin));
  }

  public static Task shell(String line, Map<String, String> environment) {
    return of(new Work.Exec(List.of("/bin/sh", "-c", line), null, environment, new byte[0]));
  }

  public static Task argv(String... argv) {
    return in(null, argv);
  }

  public static Task in(String directory, String... argv) {
    return of(new Work.Exec(List.of(argv), directory, Map.of(), new byte[0]));
  }
}
