package io.cloudkon.client.cli;

import io.cloudkon.client.report.RefusedLines;
import io.cloudkon.client.report.ResultLines;
import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.spool.TaskInlet;
import io.cloudkon.client.spool.TaskSpool;
import io.cloudkon.client.workload.LineCheck;
import io.cloudkon.client.workload.LineInput;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of {@code client --serve}: they arrive line by line while others run, and each result
 * is written as a line as soon as it arrives. A line that is not a task is answered by a line with
 * an {@code error}, and reading continues. For one run.
 */
final class ServedTasks implements TaskOrigin {
  private static final String STDIN = "<stdin>";

  private final InputStream in;
  private final OutputStream out;
  private final String queue;
  private final TaskSpool spool;
  private final boolean kept;
  private final AtomicReference<Optional<RefusedLines>> refused =
      new AtomicReference<>(Optional.empty());
  private @Nullable RunChecks checks;

  /**
   * Creates the tasks; reads nothing yet.
   *
   * @param in the stream of lines; never closed
   * @param out receives the results and nothing else; never closed
   * @param kept whether the run has a folder, from which it can be resumed
   */
  ServedTasks(InputStream in, OutputStream out, String queue, boolean kept) {
    this.in = in;
    this.out = out;
    this.queue = queue;
    this.kept = kept;
    this.spool = kept ? TaskSpool.kept() : TaskSpool.temporary();
  }

  @Override
  public boolean streamed() {
    return false;
  }

  @Override
  public Workload open(RunChecks ofRun) {
    checks = ofRun;
    return Workload.growing(spool);
  }

  @Override
  public RunFolder keep(RunFolder folder, Workload workload) {
    return kept ? folder.keeping(spool.keptFile()) : folder;
  }

  @Override
  public String name(RunFolder folder) {
    return folder.keptWorkload().map(Path::toString).orElse(STDIN);
  }

  @Override
  public String again(RunFolder folder) {
    return folder.keptWorkload().map(Path::toAbsolutePath).map(Path::toString).orElse("-");
  }

  @Override
  public OutputOptions shown(OutputOptions asked) {
    return asked.onStandardError();
  }

  @Override
  public RunHooks hooks(RunFolder folder, String run) {
    String goOn =
        folder
            .path()
            .filter(path -> !queue.equals(Names.LOCAL))
            .map(path -> "; resume the run with: " + Resuming.command(queue, run, path))
            .orElse("");
    ResultLines results = new ResultLines(out, "standard output", goOn);
    return new RunHooks(
        cluster -> read(cluster, run, results),
        results,
        this::exitCode,
        refused::get,
        true,
        () -> {});
  }

  /** Counts a refused line as a task that did not succeed. */
  private int exitCode(int ofRun) {
    return ofRun == ExitCodes.SUCCESS && refused.get().isPresent() ? ExitCodes.SOME_FAILED : ofRun;
  }

  private void read(Cluster cluster, String run, ResultLines results) {
    RunChecks known = checks;
    if (known == null) {
      throw new IllegalStateException("the tasks were not opened");
    }
    TaskInlet inlet = new TaskInlet(spool, known, cluster.blobs(), run, new SystemTime());
    // A daemon thread, because reading standard input may block forever, even after the run is
    // over.
    Thread.ofPlatform().daemon().name("cloudkon-serve").start(() -> read(inlet, results));
  }

  private void read(TaskInlet inlet, ResultLines results) {
    try (inlet) {
      LineInput lines = new LineInput(in);
      while (take(lines, inlet, results)) {
        // Takes one line at a time; their tasks run meanwhile.
      }
    } catch (IOException e) {
      refuse(results, 0, "%s cannot be read: %s".formatted(STDIN, e.getMessage()));
    } catch (CloudKonException e) {
      // The run is over, or the reader of its results is gone, or the spool failed: lines that were
      // not read must not be missing from a run that ends well.
      spool.fail(e);
      return;
    } catch (RuntimeException | Error e) {
      // Standard input may contain more tasks, so the run must not end as if all had been taken.
      spool.fail(
          new CloudKonException("the tasks of %s cannot be taken: %s".formatted(STDIN, e), e));
      throw e;
    } finally {
      spool.end();
    }
  }

  /** Takes one line; returns false at the end. */
  private boolean take(LineInput lines, TaskInlet inlet, ResultLines results) throws IOException {
    try {
      LineCheck.Line line = lines.next();
      if (line != null) {
        int unused = inlet.take(List.of(line), (task, ordinal) -> {});
      }
      return line != null;
    } catch (UsageException e) {
      refuse(results, lines.number(), String.valueOf(e.getMessage()));
      return true;
    }
  }

  private void refuse(ResultLines results, long line, String why) {
    String message = line > 0 ? "%s:%d: %s".formatted(STDIN, line, why) : why;
    refused.updateAndGet(before ->
        Optional.of(
            before
                .map(lines -> new RefusedLines(lines.count() + 1, lines.first()))
                .orElseGet(() -> new RefusedLines(1, message))));
    results.refuse(line, message);
  }
}
