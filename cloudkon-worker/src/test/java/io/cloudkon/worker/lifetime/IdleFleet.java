package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.UnreliableCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Idle workers of one cluster in memory, whose calls run at the same time. */
final class IdleFleet implements AutoCloseable {
  static final Duration IDLE = Duration.ofSeconds(60);

  final ManualTime time = new ManualTime();
  final Cluster reliable;
  private final UnreliableCloud cloud;
  private final ExecutorService io = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger underWay = new AtomicInteger();
  private final List<Member> members = new ArrayList<>();
  private int started;

  /** One worker. */
  record Member(Lifetime lifetime, CountedSeats seats) {}

  IdleFleet(Misbehaviour misbehaviour) {
    cloud = new UnreliableCloud(time, misbehaviour);
    time.onAdvance(cloud::tick);
    cloud.setup("Q");
    reliable = cloud.reliable("Q");
  }

  /** Lets a provisioner say that so many are to stay. */
  void minimum(int workers) {
    ProvisionerEntry.Settings settings =
        new ProvisionerEntry.Settings("process", workers, 1_000, 4, WorkerTakes.ALL);
    Optional<ProvisionerEntry> seen = reliable.decisions().provisioner();
    long now = time.serviceMillis();
    ProvisionerEntry entry =
        new ProvisionerEntry(
            "p" + now + "-" + workers,
            "host",
            now + 15_000,
            settings,
            0,
            0,
            ProvisionerEntry.Fleet.UNSEEN,
            now);
    assertThat(reliable.decisions().take(entry, seen)).isTrue();
  }

  /** Starts so many workers. */
  void start(int count) {
    Cluster cluster = cloud.cluster("Q");
    for (int i = 0; i < count; i++) {
      CountedSeats seats = new CountedSeats(cluster.decisions());
      LifetimeConfig config =
          new LifetimeConfig(
              IDLE, Duration.ZERO, Duration.ofSeconds(1), Duration.ofMinutes(5), null, true);
      members.add(
          new Member(
              new Lifetime(
                  config,
                  LifetimeBed.settings("host-%06x".formatted(started++ * 7_919)),
                  false,
                  LifetimeBed.with(cluster, seats),
                  time,
                  this::call),
              seats));
    }
  }

  private void call(Runnable call) {
    underWay.incrementAndGet();
    io.execute(() -> {
      try {
        call.run();
      } finally {
        underWay.decrementAndGet();
      }
    });
  }

  /** Each worker looks at the time once, and receives nothing; those that leave are gone. */
  void tick() {
    members.removeIf(member -> member.lifetime().isOver(false, false, false));
    members.forEach(member -> LifetimeBed.receiveNothing(member.lifetime()));
    await()
        .atMost(30, TimeUnit.SECONDS)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> underWay.get() == 0);
  }

  /** Ticks until nobody asks anything more at this time. */
  void settle(int ticks) {
    for (int i = 0; i < ticks; i++) {
      tick();
    }
  }

  /** Goes on for so long, with a tick each second. */
  void pass(Duration span) {
    for (long i = 0; i < span.toSeconds(); i++) {
      time.advance(Duration.ofSeconds(1));
      tick();
    }
  }

  /** Those that are there. */
  List<Member> members() {
    return List.copyOf(members);
  }

  /** One dies: it renews nothing and gives nothing back. */
  void die(int index) {
    members.remove(index);
  }

  List<IdleSeat> seats() {
    return reliable.decisions().seats();
  }

  @Override
  public void close() {
    io.close();
  }
}
