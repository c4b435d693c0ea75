package io.cloudkon.client.cli;

import io.cloudkon.client.session.ResumeCommand;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Signals;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.TemporaryFiles;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handles Ctrl-C and SIGTERM. The first Ctrl-C stops sending and says what is outstanding. A second
 * one within 3 s cancels the run, see {@link InterruptStates}; otherwise the client leaves it.
 * Before anything was sent, the client leaves at once and the run ends. Under LOCAL, the worker
 * ends first, so that what has finished is collected. On SIGTERM the client always leaves without
 * asking. The process ends within a few seconds, even if something hangs, unless the run is
 * cancelled: then it is settled first. Closed when the run is over.
 */
final class Interrupt implements AutoCloseable {
  private static final long CANCEL_MILLIS = 3_000;

  /** The time from when the client starts to leave until the process is halted. */
  private static final long GRACE_MILLIS = 1_500;

  private static final long TERM_GRACE_MILLIS = 4_000;

  /** No result for so long means that all have been collected that there are. */
  private static final long QUIET_MILLIS = 100;

  private static final long COLLECT_MILLIS = 1_000;

  private final RunSession session;
  private final @Nullable ResumeCommand way;
  private final boolean settles;
  private final Runnable leaving;
  private final CommandMessages messages;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch decided = new CountDownLatch(1);
  private final Thread hook;
  private final InterruptStates states = new InterruptStates(System::nanoTime);

  private Interrupt(
      RunSession session,
      @Nullable ResumeCommand way,
      boolean settles,
      Runnable leaving,
      CommandMessages messages) {
    this.session = session;
    this.way = way;
    this.settles = settles;
    this.leaving = leaving;
    this.messages = messages;
    this.hook = Thread.ofPlatform().name("cloudkon-terminate").unstarted(this::terminated);
  }

  /**
   * Starts listening.
   *
   * @param way the command that resumes the run; null under LOCAL, where a run cannot be resumed
   * @param settles whether the run was cancelled before, so that Ctrl-C cancels nothing
   * @param leaving is called before the client leaves; returns when no more tasks will finish
   * @param messages prints what happens to the run
   */
  static Interrupt install(
      RunSession session,
      @Nullable ResumeCommand way,
      boolean settles,
      Runnable leaving,
      CommandMessages messages) {
    Interrupt installed = new Interrupt(session, way, settles, leaving, messages);
    Runtime.getRuntime().addShutdownHook(installed.hook);
    var unused = Signals.onCtrlC(installed::pressed);
    return installed;
  }

  /** Whether Ctrl-C was pressed. */
  boolean pressedOnce() {
    return states.pressedOnce();
  }

  private void pressed() {
    boolean asks = way != null && !settles && session.begun();
    switch (states.signalled(ended.getCount() == 0, asks)) {
      case ASK -> ask();
      case LEAVE -> {
        endWork();
        messages.say("interrupted: " + outstanding());
        leave(TERM_GRACE_MILLIS);
      }
      case CANCEL -> cancel();
      case HALT -> halt();
      case NOTHING -> {}
    }
  }

  private void ask() {
    session.stopSending();
    messages.say("interrupted: " + outstanding());
    messages.say(
        "press Ctrl-C again within %d s to cancel the run; otherwise it continues without this client"
            .formatted(CANCEL_MILLIS / 1000));
    if (!awaits(decided, CANCEL_MILLIS) && states.leaves() && ended.getCount() > 0) {
      leave(GRACE_MILLIS);
    }
  }

  private void cancel() {
    decided.countDown();
    messages.say("cancelling the run");
    try {
      session.cancel();
    } catch (CloudKonException e) {
      messages.say("the run could not be cancelled: " + e.getMessage());
      leave(GRACE_MILLIS);
    }
  }

  /** Under LOCAL, lets the worker end and collects what it has reported. */
  private void endWork() {
    if (way != null) {
      return;
    }
    session.stopSending();
    leaving.run();
    long finished = -1;
    for (long waited = 0; waited < COLLECT_MILLIS && ended.getCount() > 0; waited += QUIET_MILLIS) {
      if (finished == session.counts().finished()) {
        return;
      }
      finished = session.counts().finished();
      boolean unused = awaits(ended, QUIET_MILLIS);
    }
  }

  private void leave(long graceMillis) {
    session.interrupt();
    if (!awaits(ended, graceMillis)) {
      halt();
    }
  }

  /** Handles SIGTERM and other ends of the JVM, which leave no time to ask. */
  private void terminated() {
    endWork();
    messages.say("interrupted: " + outstanding());
    leave(TERM_GRACE_MILLIS);
    halt();
  }

  private String outstanding() {
    String outstanding = session.outstanding(way != null);
    return way != null && session.begun() ? outstanding + "; " + way.advice() : outstanding;
  }

  private static boolean awaits(CountDownLatch latch, long millis) {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void halt() {
    try {
      messages.clearLineSoon(); // its display does not end with the process
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    TemporaryFiles.halt(ExitCodes.INTERRUPTED);
  }

  /**
   * Returns only if the process is not being terminated; otherwise the hook prints the message and
   * ends the process.
   */
  @Override
  public void close() throws InterruptedException {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      hook.join();
    }
  }
}
