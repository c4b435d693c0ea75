package io.cloudkon.client.status;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a cluster's status repeatedly until {@link #stop}. A separate thread reads it, so that a
 * service that does not answer stops the numbers but not the screen, which shows a note. {@link
 * #run} is for one thread, {@link #stop} for any.
 */
public final class StatusWatch {
  private final Supplier<ClusterStatus> read;
  private final Display display;
  private final String cluster;
  private final Duration interval;
  private final LongSupplier nanos;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable ClusterStatus last;
  private String problem = "";
  private long heard;

  /** An event that changes what is shown. */
  private sealed interface Event {
    record Read(ClusterStatus status) implements Event {}

    record Problem(String what) implements Event {}

    record Failed(Throwable why) implements Event {}

    record Stop() implements Event {}
  }

  /**
   * A watch that has not begun.
   *
   * @param read reads the cluster's status; may block and fail
   * @param interval the time between an answer and the next read
   * @param nanos a monotonic clock
   */
  public StatusWatch(
      Supplier<ClusterStatus> read,
      Display display,
      String cluster,
      Duration interval,
      LongSupplier nanos) {
    this.read = read;
    this.display = display;
    this.cluster = cluster;
    this.interval = interval;
    this.nanos = nanos;
  }

  /** Stops the watch; {@link #run} returns soon. */
  public void stop() {
    stopped.countDown();
    events.add(new Event.Stop());
  }

  /** Shows the status until it is stopped. */
  public void run() throws InterruptedException {
    heard = nanos.getAsLong();
    Thread reader = Thread.ofVirtual().name("cloudkon-status").start(this::readOn);
    try {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = accept(events.poll(interval.toNanos(), TimeUnit.NANOSECONDS));
        if (goesOn) {
          draw();
        }
      }
    } finally {
      stopped.countDown();
      reader.interrupt();
      reader.join();
    }
  }

  private void readOn() {
    try {
      do {
        try {
          events.add(new Event.Read(read.get()));
        } catch (CloudKonException e) {
          events.add(new Event.Problem(String.valueOf(e.getMessage())));
        }
      } while (!stopped.await(interval.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      events.add(new Event.Failed(e));
    }
  }

  /** Handles an event; false if it was the last one. */
  private boolean accept(@Nullable Event event) {
    return switch (event) {
      case null -> true;
      case Event.Read(ClusterStatus status) -> {
        last = status;
        problem = "";
        heard = nanos.getAsLong();
        yield true;
      }
      case Event.Problem(String what) -> {
        problem = what;
        yield true;
      }
      case Event.Failed(Throwable why) ->
          throw new IllegalStateException("the status cannot be read", why);
      case Event.Stop() -> false;
    };
  }

  private void draw() {
    Display.Size size = display.size();
    ClusterStatus status = last;
    String title =
        "cloudkon status -s %s, every %s; q or Ctrl-C ends it"
            .formatted(cluster, Durations.format(interval));
    display.draw(
        status == null
            ? StatusScreen.fit(List.of(title, note()), size.rows(), size.columns())
            : StatusScreen.lines(status, title, note(), size.rows(), size.columns()));
  }

  /** Why the numbers are old; empty if they are not. */
  private String note() {
    long silent = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - heard);
    boolean late = silent > 2 * interval.toMillis() + 1000;
    if (problem.isEmpty() && !late) {
      return "";
    }
    return "NO ANSWER for %s%s"
        .formatted(Say.span(silent), problem.isEmpty() ? "; trying again" : ": " + problem);
  }
}
