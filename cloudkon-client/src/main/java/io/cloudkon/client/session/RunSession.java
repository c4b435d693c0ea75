package io.cloudkon.client.session;

import io.cloudkon.client.collect.Collector;
import io.cloudkon.client.collect.FollowUp;
import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.TaskLookup;
import io.cloudkon.client.send.Sender;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a workload to a cluster and collects its results. The order: the run is published, its
 * response queue created, its journal begun, then the first bundle sent; and at the end everything
 * written, the run ended, its response queue removed.
 */
public final class RunSession {
  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);
  private static final int END_TRIES = 10;

  private final Cluster cluster;
  private final RunOptions options;
  private final RunIdentity identity;
  private final Workload workload;
  private final RunStatistics statistics;
  private final TimeSource time;
  private final LongUnaryOperator serviceToWallMicros;
  private final RunAccount account;
  private volatile boolean interrupted;

  /**
   * A session that has done nothing yet.
   *
   * @param serviceToWallMicros from the service's clock in milliseconds to this machine's in
   *     microseconds
   */
  public RunSession(
      Cluster cluster,
      RunOptions options,
      RunIdentity identity,
      Workload workload,
      RunStatistics statistics,
      TimeSource time,
      LongUnaryOperator serviceToWallMicros) {
    this.cluster = cluster;
    this.options = options;
    this.identity = identity;
    this.workload = workload;
    this.statistics = statistics;
    this.time = time;
    this.serviceToWallMicros = serviceToWallMicros;
    this.account = new RunAccount(options, identity.epoch(), time);
  }

  /** How far it is. */
  public RunAccount.Counts counts() {
    return account.counts();
  }

  /** What its tasks asked for, in microseconds, if all of them are sleeps. */
  public OptionalLong nominalMicros() {
    return account.nominalMicros();
  }

  /**
   * Stops it: {@link #run} returns soon by a {@link RunInterruptedException}, and what was sent
   * goes on.
   */
  public void interrupt() {
    interrupted = true;
    account.failed(new RunInterruptedException(outstanding()));
  }

  private String outstanding() {
    RunAccount.Counts counts = account.counts();
    return "%,d of %,d tasks sent, %,d finished; %,d go on without this client, run %s stays open, its results wait in queue %s"
        .formatted(
            counts.sent(),
            allTasks() < 0 ? counts.tasks() : allTasks(),
            counts.finished(),
            counts.sent() - counts.finished(),
            identity.run(),
            identity.responseQueue());
  }

  /**
   * Runs to the end; blocks.
   *
   * @param folder where its files go; prepared here, once the run is known to be new
   * @param workloadName as the user named it, for the journal
   * @throws UsageException if the run's id is used already
   * @throws CloudKonException if it cannot go on; what was sent goes on without this client
   */
  public void run(RunFolder folder, String workloadName) throws InterruptedException {
    Moment created = time.now();
    RunEntry entry = entry(created);
    if (!cluster.runs().create(entry)) {
      throw new UsageException(
          "run id '%s' is used already in cluster %s; choose another with --run-id, or leave it out"
              .formatted(identity.run(), cluster.name()));
    }
    boolean finished = false;
    RunLease lease =
        new RunLease(
            cluster.runs(), entry, created, options.lease(), time, this::progress, account::failed);
    try {
      cluster.responses().create(identity.responseQueue());
      folder.prepare();
      try (ResultSink sink = folder.openResults();
          Journal journal = folder.openJournal()) {
        journal.append(List.of(header(workloadName)));
        sendAndCollect(lease, sink, journal);
        journal.append(List.of(new JournalEntry.Ended()));
      }
      finished = true;
    } finally {
      end(lease, finished || (!interrupted && account.counts().tasks() == 0));
    }
  }

  private void sendAndCollect(RunLease lease, ResultSink sink, Journal journal)
      throws InterruptedException {
    FollowUps followUps = new FollowUps();
    try (Collector collector =
            new Collector(
                cluster.responses(),
                identity.responseQueue(),
                options.threads(),
                account,
                lease,
                sink,
                statistics,
                journal,
                followUps,
                time,
                serviceToWallMicros);
        var reader = workload.read();
        Sender sender =
            new Sender(
                cluster.requests(),
                options,
                identity,
                account,
                reader,
                this::allTasks,
                journal,
                time,
                collector::allSent)) {
      followUps.sender = sender;
      account.awaitCompletion();
    }
  }

  /** Ends the run and removes its queue if nothing is outstanding; else leaves both as they are. */
  private void end(RunLease lease, boolean nothingOutstanding) throws InterruptedException {
    if (nothingOutstanding) {
      lease.end(END_TRIES);
      removeQueue();
    } else {
      lease.close();
    }
  }

  /** A run that has everything does not fail by a queue that stays: teardown removes it. */
  private void removeQueue() {
    try {
      cluster.responses().remove(identity.responseQueue());
    } catch (CloudKonException e) {
      LOG.warn("queue {} stays behind: {}", identity.responseQueue(), e.getMessage());
    }
  }

  private RunEntry entry(Moment now) {
    return new RunEntry(
        identity.run(),
        identity.epoch(),
        RunEntry.State.OPEN,
        options.consistency(),
        identity.responseQueue(),
        identity.client(),
        now.service() + options.lease().lease(),
        workload.summary().map(WorkloadSummary::sha256).orElse(""),
        Math.max(0, allTasks()),
        0,
        Map.of(),
        now.service(),
        now.service());
  }

  private JournalEntry.RunHeader header(String workloadName) {
    return new JournalEntry.RunHeader(
        identity.run(),
        identity.epoch(),
        options.consistency(),
        identity.client(),
        cluster.name(),
        workload.summary().map(WorkloadSummary::sha256).orElse(""),
        workloadName);
  }

  private long allTasks() {
    Optional<WorkloadSummary> summary = workload.summary();
    return summary.isPresent() ? summary.get().tasks() : -1;
  }

  private RunLease.Progress progress() {
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    for (TaskStatus status : TaskStatus.values()) {
      long count = statistics.count(status);
      if (count > 0) {
        counts.put(status, count);
      }
    }
    RunAccount.Counts reached = account.counts();
    return new RunLease.Progress(Math.max(allTasks(), reached.tasks()), reached.sent(), counts);
  }

  private final class FollowUps implements FollowUp {
    private final TaskLookup lookup = new TaskLookup(workload);
    private volatile @Nullable Sender sender;

    @Override
    public Map<String, Claim> claims(Collection<String> ids) {
      return cluster.claims().read(ids);
    }

    @Override
    public List<Task> tasks(SentBundle bundle) {
      return lookup.tasks(bundle);
    }

    @Override
    public void resend(String bundle, SentBundle sent, List<Task> tasks) {
      Sender to = sender;
      if (to != null) {
        to.resend(bundle, sent, tasks);
      }
    }
  }
}
