package io.cloudkon.client.session;

import io.cloudkon.client.collect.Collector;
import io.cloudkon.client.collect.FollowUp;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.TaskLookup;
import io.cloudkon.client.send.Sender;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's work on a run whose lease it holds, with the run's files open. */
final class RunWork {
  private final SessionParts parts;
  private final RunContext run;
  private final ResultSink sink;
  private final Restored restored;
  private final TaskLookup lookup;

  RunWork(SessionParts parts, RunContext run, ResultSink sink, Restored restored) {
    this.parts = parts;
    this.run = run;
    this.sink = sink;
    this.restored = restored;
    this.lookup = new TaskLookup(parts.workload());
  }

  /**
   * Stores what the run ships, and begins its journal; from then on the run can be resumed.
   *
   * @param workloadName the path from which the workload can be read again
   */
  List<Content> begin(String workloadName) throws InterruptedException {
    List<Content> ships =
        parts.sessionOptions().shipper().upload(run.blobs().shipped(), run.identity().run());
    run.journal().append(List.of(header(workloadName, ships)));
    return ships;
  }

  private JournalEntry.RunHeader header(String workloadName, List<Content> ships) {
    RunOptions options = run.options();
    return new JournalEntry.RunHeader(
        run.identity().run(),
        run.identity().epoch(),
        options.consistency(),
        options.claim(),
        run.identity().client(),
        run.cluster().name(),
        parts.digest(),
        workloadName,
        parts.workload().grows() ? -1 : parts.allTasks(),
        options.captureBytes(),
        options.timeoutMillis(),
        options.retries(),
        ships,
        options.collect());
  }

  /**
   * Sends and collects until the run is over.
   *
   * @param sending receives the sender before it starts
   */
  RunEnd toItsEnd(List<Content> ships, Consumer<Sender> sending) throws InterruptedException {
    FollowUps followUps = new FollowUps();
    Collector collector =
        new Collector(run, sink, parts.statistics(), followUps, parts.serviceToWallMicros());
    collector.restore(restored.lostResults(lookup, run.time().wallMicros()));
    RunEnd end;
    try (BlobKeeper blobs = new BlobKeeper(run, restored.stored());
        collector;
        TaskReader reader = reader();
        Sender sender =
            new Sender(run, reader, lookup, parts::allTasks, ships, () -> allSent(collector));
        FleetWatch fleet = new FleetWatch(run, parts.workload()::kinds, parts::allTasks);
        BootWatch boots = new BootWatch(run)) {
      followUps.sender = sender;
      sending.accept(sender);
      if (!run.account().outcome().over()) {
        collector.start(run.options().threads());
        sender.start(restored.state().unconfirmed());
      }
      end = run.account().outcome().await();
      if (end == RunEnd.CANCELLED) {
        // before the other receives are aborted: what those bring would be hidden
        collector.takeWhatWaits();
      }
    }
    if (end == RunEnd.CANCELLED) {
      run.lease().require();
      settle(collector.settle());
    }
    if (end == RunEnd.CANCELLED || end == RunEnd.COMPLETE) {
      collector.requireWritten();
      run.lease().require();
      sink.flushAndSync();
      parts.sessionOptions().settled().run();
      run.journal().append(List.of(new JournalEntry.Ended()));
    }
    return end;
  }

  private void allSent(Collector collector) {
    collector.allSent();
    if (parts.sessionOptions().detach()) {
      run.account().outcome().end(RunEnd.DETACHED);
    }
  }

  /** A reader of the tasks that are in no bundle yet. */
  private TaskReader reader() {
    SentBundle last = restored.state().last();
    return last == null ? parts.workload().read() : lookup.behind(last);
  }

  private void settle(BitSet lost) {
    BitSet settled = (BitSet) restored.done().clone();
    settled.or(lost);
    new Settlement(parts.workload(), run.account(), sink, parts.statistics())
        .settle(settled, run.time().wallMicros());
  }

  private final class FollowUps implements FollowUp {
    private volatile @Nullable Sender sender;

    @Override
    public Map<String, Claim> claims(Collection<String> ids) {
      return run.cluster().claims().read(ids);
    }

    @Override
    public List<Task> tasks(SentBundle bundle) {
      return lookup.tasks(bundle);
    }

    @Override
    public boolean resend(String bundle, SentBundle sent, List<Task> tasks) {
      Sender to = sender;
      return to != null && to.resend(bundle, sent, tasks);
    }
  }
}
