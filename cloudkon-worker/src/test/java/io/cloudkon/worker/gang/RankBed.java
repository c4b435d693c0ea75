package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.Identity;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RmiSettings;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.RankPlace;
import io.cloudkon.worker.execute.Runs;
import io.cloudkon.worker.execute.StartProbe;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.Pulse;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One worker's ranks, run by the test, which hears what their machines would. */
final class RankBed implements AutoCloseable {
  static final String GANG = "gang-1";
  static final String JOB = "run/e1/0";

  /** What jobs here may keep of each output. */
  static final int CAPTURE = 8;

  static final Work COMMAND = Work.Exec.shell("true");

  /** In a blob store that never has it. */
  static final Work STORED =
      new Work.Stored(Work.Kind.EXEC, new Content("0".repeat(64), 1, "work"));

  private static final long MARGIN_MILLIS = 1_000;

  final ManualTime time = new ManualTime();
  final Pulse pulse = new Pulse(time, MARGIN_MILLIS);
  final GangInbox inbox = new GangInbox();
  final Told told = new Told(inbox);
  final AtomicBoolean leaving = new AtomicBoolean();
  final AtomicInteger gets = new AtomicInteger();
  final AtomicInteger left = new AtomicInteger();
  final FakeRunner runner = new FakeRunner();

  /** What the blob store answers, whatever it is asked for. */
  volatile RuntimeException refusal = new TransientServiceException("planted", null);

  /** What the worker was suspected of. */
  final List<Sickness> suspicions = new CopyOnWriteArrayList<>();

  volatile boolean sick;

  /** How many workers could not start the job, this one included. */
  volatile int sickWorkers = 1;

  final Stubs stubs;
  final RankRuns runs;
  private final HandlerRegistry handlers = HandlerRegistry.builtIn();
  private final TaskRunner unused =
      new TaskRunner(Runs.CONFIG, handlers, Clock.systemUTC(), task -> {});
  private final Inputs inputs;

  RankBed() {
    this(RmiSettings.defaults());
  }

  RankBed(RmiSettings settings) {
    stubs = new Stubs(settings, Identity.none());
    Pulse ofTasks = new Pulse(new ManualTime(), MARGIN_MILLIS);
    inputs =
        new Inputs(
            unsteady(), unused, 1_000, ofTasks, new BackOff(1, 1, new Random(1)), leaving::get);
    HinderedStarts hindered = new HinderedStarts(job -> sickWorkers, time::monotonicNanos);
    runs =
        new RankRuns(
            new RankExecution(runner, inputs, this::isSick, hindered, pulse, time),
            hindered,
            stubs,
            time,
            inbox,
            left::incrementAndGet);
  }

  private BlobStore unsteady() {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, args) -> {
              gets.incrementAndGet();
              throw refusal;
            });
  }

  private boolean isSick(Sickness suspicion, StartProbe probe) {
    suspicions.add(suspicion);
    return sick;
  }

  MpiLaunches launches() {
    return launches((around, task, interruption, job) -> {
      throw new AssertionError("no MPI here");
    });
  }

  /** With an mpiexec that the test plays. */
  MpiLaunches launches(MpiexecRun.Mpiexec mpiexec) {
    return new MpiLaunches(inputs, mpiexec, this::isSick, "127.0.0.1", inbox);
  }

  /** What a rank does here. */
  interface Body {
    TaskOutcome run(RankPlace place, Interruption interruption) throws Exception;
  }

  /** Remembers what it ran. */
  static final class FakeRunner implements RankRunner {
    final List<Integer> ran = new CopyOnWriteArrayList<>();
    volatile Body body = (place, interruption) -> outcome(TaskStatus.SUCCEEDED);

    @Override
    public boolean allows(Task task) {
      return true;
    }

    @Override
    public TaskOutcome run(
        TaskEnvironment around, Task task, Interruption interruption, RankPlace place)
        throws TaskInterruptedException, NotStartedException {
      ran.add(place.rank());
      try {
        return body.run(place, interruption);
      } catch (TaskInterruptedException | NotStartedException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static TaskOutcome outcome(TaskStatus status) {
    return outcome(status, 0, false);
  }

  /** One that printed and answered so many bytes. */
  static TaskOutcome outcome(TaskStatus status, int bytes, boolean stuck) {
    byte[] said = new byte[bytes];
    return new TaskOutcome(
        status, 0, said, bytes, said, bytes, said, bytes, status.name(), 10, 20, stuck);
  }

  /** An order of ranks of one job, of which all others are elsewhere. */
  static StartRanks order(int attempt, int size, Address others, int... ranks) {
    return order(attempt, size, others, COMMAND, CAPTURE, ranks);
  }

  static StartRanks order(
      int attempt, int size, Address others, Work each, int captureBytes, int... ranks) {
    BundleHeader header =
        new BundleHeader(
            "run",
            "e1",
            JOB,
            "Q-r",
            Consistency.EXACTLY_ONCE,
            captureBytes,
            1,
            1,
            0,
            List.of(),
            ClaimScope.BUNDLE);
    Task task = new Task(0, "1", new Work.Hpc(size, false, each), 0, 0);
    Address[] peers = new Address[size];
    Arrays.fill(peers, others);
    String[] passes = new String[size];
    Arrays.fill(passes, "pass");
    return new StartRanks(
        JOB,
        attempt,
        size,
        ranks,
        BundleCodec.encode(new Bundle(header, List.of(task))),
        peers,
        passes,
        new String[0]);
  }

  /** An order of all ranks of a job. */
  static StartRanks order(int size) {
    int[] all = new int[size];
    Arrays.setAll(all, rank -> rank);
    return order(1, size, new Address("127.0.0.1", 1), all);
  }

  /** How the next rank to end did. */
  RankEnd end() throws InterruptedException {
    SubWorkerEvent.RankEnded ended = (SubWorkerEvent.RankEnded) told.subWorker();
    return runs.untold().ends(ended.gang(), List.of(ended.end())).getFirst();
  }

  @Override
  public void close() throws Exception {
    runs.close();
    stubs.close();
    inputs.close();
    unused.close();
    handlers.close();
  }
}
