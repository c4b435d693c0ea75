package io.cloudkon.client.cli;

import io.cloudkon.client.report.Progress;
import io.cloudkon.client.runs.RunWait;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows what {@code wait} waits for: the progress, and a hint if no worker is alive. A changed hint
 * is printed again. {@link #looked} is called by one thread.
 */
final class WaitView {
  /** The provisioner's state, which the hint depends on, is read at each sixth look. */
  private static final int EVERY = 6;

  private final Cluster cluster;
  private final TimeSource time;
  private final Consumer<String> say;
  private volatile RunWait.@Nullable Look last;
  private Optional<String> said = Optional.empty();
  private int looksWithout;

  WaitView(Cluster cluster, TimeSource time, Consumer<String> say) {
    this.cluster = cluster;
    this.time = time;
    this.say = say;
  }

  /** Shows the progress until it is closed. */
  Progress show(OptionalInt columns) {
    return Progress.start(
        System.err,
        columns,
        () -> number(0, look -> look.progress().finished()),
        () -> 0,
        () -> number(0, look -> look.progress().notSucceeded()),
        () -> number(-1, look -> look.run().tasks()),
        time::monotonicNanos);
  }

  private long number(long unknown, ToLongFunction<RunWait.Look> number) {
    RunWait.Look look = last;
    return look == null ? unknown : number.applyAsLong(look);
  }

  /** Takes what the latest look has found. */
  void looked(RunWait.Look look) {
    last = look;
    if (look.anyWorker() || !look.waits()) {
      said = Optional.empty();
      looksWithout = 0;
    } else if (looksWithout++ % EVERY == 0) {
      RemainingWork remaining = look.run().remaining();
      hint(remaining.kinds(), remaining.jobs() > 0 && remaining.bundles() == 0);
    }
  }

  private void hint(Set<Work.Kind> kinds, boolean jobs) {
    try {
      WorkerHint.Hint hint = WorkerHint.noWorker(cluster, kinds, jobs, time.serviceMillis());
      if (!said.equals(Optional.of(hint.what()))) {
        said = Optional.of(hint.what());
        say.accept(hint.line());
      }
    } catch (CloudKonException e) {
      looksWithout = 0; // the next look tries again, and nothing depends on it
    }
  }
}
