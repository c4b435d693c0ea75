package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.reply.ReplyRoutes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When bundles in hand learn that their run is over. */
class RunWatchTest {
  private static final Duration LATEST = Duration.ofSeconds(5);

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final Map<Long, BundleInHand> inHand = new HashMap<>();
  private final List<WorkerEvent> events = new ArrayList<>();
  private int reads;

  private RunWatch watch(Executor io) {
    ReplyRoutes routes = new ReplyRoutes();
    RunStates states = new RunStates(counted(), routes, time);
    return new RunWatch(states, new CallMeter(List::of), inHand, events::add, io);
  }

  private void arrives(String run) {
    BundleInHand bundle = Bundles.inHand(run, inHand.size(), "handle");
    inHand.put(bundle.key(), bundle);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 200, 499, 500, 501, 3_999, 4_000, 4_001})
  void cancel_is_noticed_within_five_seconds_whenever_it_comes(long millis) {
    RunWatch watch = watch(Runnable::run);
    Bundles.open(cluster, "r");
    arrives("r");
    watch.look(inHand.values());
    time.advance(Duration.ofMillis(millis));
    watch.look(inHand.values());
    assertThat(events).isEmpty();

    cluster.runs().cancel("r", time.serviceMillis());
    long cancelled = time.monotonicNanos();
    while (events.isEmpty()) {
      time.advance(Duration.ofNanos(RunWatch.LOOK_NANOS));
      watch.look(inHand.values());
    }

    assertThat(events).containsExactly(new WorkerEvent.OfBundle(0, new BundleEvent.RunClosed()));
    assertThat(time.monotonicNanos() - cancelled).isLessThan(LATEST.toNanos());
  }

  @Test
  void run_is_read_once_in_four_seconds_however_many_bundles_it_has() {
    RunWatch watch = watch(Runnable::run);
    Bundles.open(cluster, "r");
    for (int i = 0; i < 500; i++) {
      arrives("r");
    }
    for (int i = 0; i < 8; i++) {
      watch.look(inHand.values());
      time.advance(Duration.ofMillis(500));
    }
    assertThat(reads).isEqualTo(1);

    cluster.runs().cancel("r", time.serviceMillis());
    watch.look(inHand.values());

    assertThat(reads).isEqualTo(2);
    assertThat(events).hasSize(500);
  }

  @Test
  void look_that_takes_long_is_not_joined_by_another() {
    Queue<Runnable> waiting = new ArrayDeque<>();
    RunWatch watch = watch(waiting::add);
    Bundles.open(cluster, "r");
    arrives("r");
    arrives("s");

    watch.look(inHand.values());
    watch.look(inHand.values());
    assertThat(waiting).hasSize(2);

    waiting.remove().run();
    waiting.remove().run();
    watch.look(inHand.values());
    assertThat(waiting).hasSize(2);
    assertThat(events).containsExactly(new WorkerEvent.OfBundle(1, new BundleEvent.RunClosed()));
  }

  private RunStore counted() {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, args) -> {
              reads++;
              try {
                return method.invoke(cluster.runs(), args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
