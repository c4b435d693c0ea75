package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import io.cloudkon.hpc.rmi.Welcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Turns calls of other workers into events of the loop, and waits for its answers. Thread safe. */
final class GangDoor implements ManagerPort, SubWorkerPort {
  private final GangInbox inbox;
  private final Map<String, ManagedGang> managed;
  private final RankRuns runs;
  private final MpiLaunches launches;
  private final CallBacks callBacks;
  private final Questions<Welcome> registrations;
  private final Questions<Standing> reports;
  private final Questions<Boolean> starts;
  private final Map<Long, StartRanks> orders = new ConcurrentHashMap<>();

  /**
   * A door that has received no call yet.
   *
   * @param callBacks calls workers back before they are registered
   * @param patienceMillis how long the loop may take to answer, in milliseconds
   */
  GangDoor(
      GangInbox inbox,
      Map<String, ManagedGang> managed,
      RankRuns runs,
      MpiLaunches launches,
      CallBacks callBacks,
      long patienceMillis) {
    this.registrations = new Questions<>("registration", patienceMillis);
    this.reports = new Questions<>("report", patienceMillis);
    this.starts = new Questions<>("start", patienceMillis);
    this.launches = launches;
    this.callBacks = callBacks;
    this.inbox = inbox;
    this.managed = managed;
    this.runs = runs;
  }

  @Override
  public Welcome register(String gang, Registration registration) {
    ManagedGang known = managed.get(gang);
    if (known == null
        || !known.registered(
            registration.worker(), registration.address(), registration.secret())) {
      return new Welcome(new int[0], 0);
    }
    if (!callBacks.reaches(gang, registration)) {
      return Welcome.UNREACHED;
    }
    List<Integer> ranks = Arrays.stream(registration.ranks()).boxed().toList();
    return registrations.ask(
        call -> inbox.tell(new GangEvent.Register(call, gang, registration.worker(), ranks)));
  }

  @Override
  public Standing report(String gang, Report report) {
    ManagedGang known = managed.get(gang);
    if (known == null) {
      return Standing.GONE;
    }
    List<GangEvent.Ended> ended = new ArrayList<>();
    for (RankEnd end : report.ended()) {
      if (!known.holds(report.worker(), end.rank())) {
        continue; // a member of the gang must not report in the name of another
      }
      known.ended(end);
      launches.rankEnded(gang, end.job(), end.attempt(), end.rank(), end.exitCode());
      ended.add(EndedRanks.news(end));
    }
    return reports.ask(call ->
        inbox.tell(new GangEvent.Report(call, gang, report.worker(), ended, report.leaving())));
  }

  @Override
  public void ping(String gang) {}

  @Override
  public Standing start(String gang, StartRanks start) {
    List<Integer> ranks = Arrays.stream(start.ranks()).boxed().toList();
    // The order stays until the loop has answered, even too late for this call: its ranks then
    // count as running, and must run.
    boolean starting =
        starts.ask(call -> {
          orders.put(call, start);
          inbox.tell(
              new SubWorkerEvent.StartOrdered(call, gang, start.job(), start.attempt(), ranks));
        });
    return new Standing(starting, 0);
  }

  @Override
  public void kill(String gang, KillRanks kill) {
    inbox.tell(new SubWorkerEvent.KillOrdered(gang, kill.job(), kill.attempt()));
  }

  @Override
  public void dissolve(String gang) {
    inbox.tell(new SubWorkerEvent.DissolveOrdered(gang));
  }

  @Override
  public boolean deliver(String gang, RankMessage message) {
    try {
      return runs.deliver(gang, message);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  // ---- the loop's answers

  void welcome(long call, Welcome welcome) {
    registrations.answer(call, welcome);
  }

  void standing(long call, Standing standing) {
    reports.answer(call, standing);
  }

  /** Returns the order with this call number and removes it; null if there is none. */
  @Nullable StartRanks order(long call) {
    return orders.remove(call);
  }

  void starts(long call, boolean starting) {
    starts.answer(call, starting);
  }
}
