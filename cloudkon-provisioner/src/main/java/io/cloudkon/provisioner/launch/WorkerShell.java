package io.cloudkon.provisioner.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.config.LayeredDefaults;
import io.cloudkon.core.process.GroupLaunch;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Starts the process of one worker. It runs in its own process group, so that signals of the
 * provisioner's terminal do not reach it, and its standard input is a pipe that is closed when the
 * provisioner ends for whatever reason. Thread safe.
 */
final class WorkerShell implements WorkerStart {
  /** The exit code of a process that did not become a worker. */
  static final int NOT_STARTED = 125;

  private final GroupLaunch groups;
  private final String script;

  /**
   * The shell for this machine.
   *
   * @throws IOException if this machine has no suitable way to start processes
   */
  WorkerShell() throws IOException {
    this.groups = GroupLaunch.detect();
    try (InputStream in = WorkerShell.class.getResourceAsStream("worker.sh")) {
      this.script = new String(Objects.requireNonNull(in, "worker.sh").readAllBytes(), UTF_8);
    }
  }

  @Override
  public Process start(String token, String id, Path file, Path log, String command)
      throws IOException {
    List<String> argv =
        List.of(
            groups.shell().toString(),
            "-c",
            script,
            "cloudkon-launch",
            file.toString(),
            log.toString(),
            command);
    ProcessBuilder builder =
        new ProcessBuilder(groups.command(argv)).redirectError(Redirect.DISCARD);
    Map<String, String> all = builder.environment();
    // The provisioner's options are not options of a worker, which would refuse them.
    all.keySet().removeIf(name -> name.startsWith(LayeredDefaults.PREFIX));
    all.put("CLOUDKON_LAUNCH", token);
    all.put("CLOUDKON_INSTANCE", id);
    all.put("CLOUDKON_INSTANCE_TYPE", ProcessLauncher.NAME);
    all.put("CLOUDKON_DRAIN_ON_EOF", "true");
    Process process = builder.start();
    try {
      long unused = groups.group(process);
      process.getOutputStream().write(GroupLaunch.GO.getBytes(UTF_8));
      process.getOutputStream().flush();
      return process;
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }
}
