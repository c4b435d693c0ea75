package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.ChildEnvironment;
import io.cloudkon.core.process.Descendants;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every process that the demo starts. None outlives {@link #close}: what has not ended by itself
 * until then is killed, and nothing can be started any more. Thread safe.
 */
final class DemoChildren implements AutoCloseable {
  private final Path folder;
  private final List<Process> started = new ArrayList<>();
  private Map<String, String> cloud = Map.of();
  private boolean closed;

  /**
   * None yet.
   *
   * @param folder where they start
   */
  DemoChildren(Path folder) {
    this.folder = folder;
  }

  /** Points what is started from now on at an AWS, and at no other. */
  synchronized void cloud(Map<String, String> environment) {
    cloud = Map.copyOf(environment);
  }

  /** Starts one whose output is kept, and whose standard input ends with this process. */
  DemoChild start(String name, List<String> command) {
    return start(name, command, null);
  }

  /** The same, in a folder. */
  DemoChild start(String name, List<String> command, @Nullable Path in) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    if (in != null) {
      builder.directory(in.toFile());
    }
    return new DemoChild(name, start(name, builder));
  }

  /**
   * Starts one that speaks to the person. It ignores the terminal's Ctrl-C, at which the demo ends
   * it: it would say how to resume its run on a cluster that is being removed.
   */
  Process startInTheOpen(String name, List<String> command) {
    System.out.flush();
    List<String> deaf = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
    deaf.addAll(command);
    return start(
        name,
        new ProcessBuilder(deaf)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(Redirect.INHERIT)
            .redirectError(Redirect.INHERIT));
  }

  private synchronized Process start(String name, ProcessBuilder builder) {
    if (closed) {
      throw new CloudKonException("%s is not started: the demo is ending".formatted(name));
    }
    if (builder.directory() == null) {
      builder.directory(folder.toFile());
    }
    ChildEnvironment.isolate(builder.environment(), cloud);
    try {
      Process process = builder.start();
      started.add(process);
      return process;
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be started: %s".formatted(name, e.getMessage()), e);
    }
  }

  /** Those that live, with all that they started themselves. */
  synchronized List<ProcessHandle> alive() {
    List<ProcessHandle> alive = new ArrayList<>();
    for (Process process : started) {
      process.descendants().forEach(alive::add);
      alive.add(process.toHandle());
    }
    alive.removeIf(handle -> !handle.isAlive());
    return alive;
  }

  /**
   * Kills what still lives, with all that was started below it, and waits until it is gone. A
   * worker whose provisioner alone is killed would drain for as long as it cannot reach the cloud.
   */
  @Override
  public synchronized void close() {
    closed = true;
    List<ProcessHandle> all = new ArrayList<>();
    for (Process process : started) {
      // found before the parent ends, as nothing is below it any more then
      process.descendants().forEach(all::add);
      process.destroyForcibly(); // before its children, or it would start others for them
      all.add(process.toHandle());
    }
    Descendants.kill(all);
  }
}
