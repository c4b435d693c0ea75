package io.cloudkon.client.session;

import static org.awaitility.Awaitility.await;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client's process that is stopped once, for a minute, in the middle of a call, while another
 * client takes its run: the clock by which it wakes. What it does about its lease comes a second
 * after what it does in that call.
 */
final class Standstill implements TimeSource {
  private static final long MILLIS = 60_000;

  private final SessionBed bed;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final CountDownLatch renewing = new CountDownLatch(1);
  private volatile long slept;

  Standstill(SessionBed bed) {
    this.bed = bed;
  }

  /** The cluster as this client sees it. */
  Cluster seen(Cluster whole) {
    return Intercepted.runs(
        whole,
        (method, arguments, call) -> {
          if (method.equals("update") && stopped.get()) {
            renewing.await();
          }
          return call.make();
        });
  }

  RunSession session(Cluster cluster) {
    return new RunSession(
        cluster,
        bed.options,
        bed.identity,
        bed.workload,
        bed.statistics,
        this,
        millis -> millis * 1000);
  }

  /** Meanwhile somebody takes the run, and collects it at its queue. The first time only. */
  void stop() {
    stop(bed.entry().responseQueue());
  }

  /** The same; and from then on it is collected at another queue. */
  void stop(String queue) {
    if (stopped.getAndSet(true)) {
      return;
    }
    await().until(() -> taken(queue));
    slept = MILLIS;
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(renewing::countDown);
  }

  private boolean taken(String queue) {
    long now = bed.time.serviceMillis();
    RunEntry found = bed.entry();
    return bed.reliable
        .runs()
        .takeOver(found.heldBy("other", "elsewhere", queue, now + 2 * MILLIS, now), found);
  }

  @Override
  public long monotonicNanos() {
    return bed.time.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(slept);
  }

  @Override
  public long wallMicros() {
    return bed.time.wallMicros() + TimeUnit.MILLISECONDS.toMicros(slept);
  }

  @Override
  public long serviceMillis() {
    return bed.time.serviceMillis() + slept;
  }
}
