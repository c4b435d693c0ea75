package io.cloudkon.worker.gang;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a manager's orders to its sub-workers, all at the same time. Reports each sub-worker that
 * cannot be told to start to the inbox. Returns at once. Thread safe.
 */
final class GangOrders {
  private static final Logger LOG = LoggerFactory.getLogger(GangOrders.class);

  private final SubWorkers subWorkers;
  private final MpiLaunches launches;
  private final GangInbox inbox;
  private final Executor io;

  /**
   * The calls to sub-workers.
   *
   * @param worker this worker's id; it may be its own manager
   * @param own this worker as a sub-worker
   * @param others the other workers, by address and secret
   * @param callBacks learns which of them cannot be told to start
   */
  record SubWorkers(
      String worker,
      SubWorkerPort own,
      BiFunction<Address, String, SubWorkerPort> others,
      CallBacks callBacks) {

    /** The calls to that worker; null if it does not belong to the gang. */
    @Nullable SubWorkerPort of(ManagedGang gang, String which) {
      if (which.equals(worker)) {
        return own;
      }
      ManagedGang.Member member = gang.member(which);
      return member == null ? null : others.apply(member.address(), member.secret());
    }

    void failed(ManagedGang gang, String which) {
      ManagedGang.Member member = gang.member(which);
      if (member != null) {
        callBacks.failed(member.address());
      }
    }
  }

  GangOrders(SubWorkers subWorkers, MpiLaunches launches, GangInbox inbox, Executor io) {
    this.subWorkers = subWorkers;
    this.launches = launches;
    this.inbox = inbox;
    this.io = io;
  }

  /**
   * Starts a job's ranks; those of an MPI program as soon as its launcher provides their launch
   * lines.
   */
  void start(GangEffect.Start start, ManagedGang gang, BundleInHand job) {
    gang.begins(job.header().bundle(), start.attempt(), start.ranks(), job.header().captureBytes());
    boolean mpi = job.task(0).work() instanceof Work.Hpc hpc && hpc.mpi();
    if (mpi) {
      launches.launch(
          gang.id, job, start.attempt(), start.size(), lines -> start(start, gang, job, lines));
    } else {
      launches.forget(gang.id);
      start(start, gang, job, List.of());
    }
  }

  private void start(
      GangEffect.Start start, ManagedGang gang, BundleInHand job, List<String> lines) {
    String id = job.header().bundle();
    try {
      Program program = program(start, gang, job, lines);
      start
          .ranks()
          .forEach((worker, ranks) -> io.execute(() -> start(gang, worker, program, ranks)));
    } catch (RuntimeException | Error e) {
      // Catches everything, because the gang would wait for ranks that are never started.
      LOG.error("the ranks of job {} cannot be started", id, e);
      start.ranks().keySet().forEach(worker -> startFailed(gang, id, start.attempt(), worker));
    }
  }

  private void startFailed(ManagedGang gang, String job, int attempt, String worker) {
    inbox.tell(new GangEvent.StartFailed(gang.id, job, attempt, worker));
  }

  /**
   * The content of the orders of all sub-workers. Each order is made by the thread that sends it,
   * because it has a pass for each rank: all together they grow with the square of the gang's
   * workers.
   *
   * @param members the workers, by rank
   * @param peers their addresses
   * @param lines the launch lines, by rank; empty if it is no MPI program
   */
  private record Program(
      String job,
      int attempt,
      byte[] payload,
      ManagedGang.Member[] members,
      Address[] peers,
      List<String> lines) {

    StartRanks order(List<Integer> ranks) {
      String[] launch =
          lines.isEmpty() ? new String[0] : ranks.stream().map(lines::get).toArray(String[]::new);
      return new StartRanks(
          job,
          attempt,
          members.length,
          ranks.stream().mapToInt(Integer::intValue).toArray(),
          payload,
          peers,
          passes(members, Collections.min(ranks)),
          launch);
    }
  }

  private static Program program(
      GangEffect.Start start, ManagedGang gang, BundleInHand job, List<String> lines) {
    if (!lines.isEmpty() && lines.size() < start.size()) {
      throw new IllegalStateException(
          "%d launch lines for %d ranks".formatted(lines.size(), start.size()));
    }
    byte[] payload = BundleCodec.encode(job.bundle());
    ManagedGang.Member[] members = new ManagedGang.Member[start.size()];
    for (int rank = 0; rank < members.length; rank++) {
      ManagedGang.Member member = gang.memberOf(rank);
      if (member == null) {
        throw new IllegalStateException("rank %d has no worker".formatted(rank));
      }
      members[rank] = member;
    }
    Address[] peers =
        Arrays.stream(members).map(ManagedGang.Member::address).toArray(Address[]::new);
    return new Program(job.header().bundle(), start.attempt(), payload, members, peers, lines);
  }

  /** The passes, by rank, that the worker with that lowest rank presents to the ranks' workers. */
  private static String[] passes(ManagedGang.Member[] members, int lowestRank) {
    Map<String, String> bySecret = new HashMap<>();
    return Arrays.stream(members)
        .map(member ->
            bySecret.computeIfAbsent(member.secret(), secret -> Secrets.pass(secret, lowestRank)))
        .toArray(String[]::new);
  }

  private void start(ManagedGang gang, String worker, Program program, List<Integer> ranks) {
    boolean starts = false;
    try {
      StartRanks order = program.order(ranks);
      SubWorkerPort port = subWorkers.of(gang, worker);
      starts = port != null && twice(() -> port.start(gang.id, order)).known();
    } catch (HpcCallException e) {
      LOG.info("ranks of job {} do not start: {}", program.job(), e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("worker {} cannot be told to start ranks of job {}", worker, program.job(), e);
    }
    if (!starts) {
      subWorkers.failed(gang, worker);
      startFailed(gang, program.job(), program.attempt(), worker);
    }
  }

  /** Ends the gang's ranks and their launcher, without waiting for the answers. */
  void kill(GangEffect.KillRanks kill, @Nullable ManagedGang gang) {
    launches.stop(kill.gang());
    KillRanks order = new KillRanks(kill.job(), kill.attempt());
    toEach(gang, kill.workers(), port -> port.kill(kill.gang(), order));
  }

  /** Tells the sub-workers that the gang is dissolved, without waiting for the answers. */
  void dissolve(GangEffect.Dissolve dissolve, @Nullable ManagedGang gang) {
    launches.forget(dissolve.gang());
    toEach(gang, dissolve.workers(), port -> port.dissolve(dissolve.gang()));
  }

  private void toEach(
      @Nullable ManagedGang gang, List<String> workers, Consumer<SubWorkerPort> call) {
    if (gang == null) {
      return;
    }
    for (String worker : workers) {
      io.execute(() -> {
        try {
          SubWorkerPort port = subWorkers.of(gang, worker);
          if (port != null) {
            call.accept(port);
          }
        } catch (HpcCallException e) {
          // The worker is dead, or notices its manager's silence.
          LOG.debug("could not tell worker {}: {}", worker, e.getMessage());
        } catch (RuntimeException | Error e) {
          LOG.error("could not tell worker {}", worker, e);
        }
      });
    }
  }

  /** Makes a repeatable call, and repeats it once if the answer may have been lost. */
  static <T> T twice(Supplier<T> call) {
    try {
      return call.get();
    } catch (HpcCallException e) {
      return switch (e.kind()) {
        case UNREACHABLE, TIMED_OUT, FAILED -> call.get();
        case REFUSED, INTERRUPTED -> throw e;
      };
    }
  }
}
