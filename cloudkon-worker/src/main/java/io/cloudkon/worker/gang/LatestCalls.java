package io.cloudkon.worker.gang;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls one at a time. A call replaces one with the same key that still waits, so that an
 * outage is not followed by outdated calls. Thread safe.
 */
final class LatestCalls {
  private final Executor io;

  /** The latest call under each key, in the order in which the keys began to wait. */
  private final Map<String, Runnable> waiting = new LinkedHashMap<>();

  private boolean calling;

  /**
   * Makes no call yet.
   *
   * @param io runs blocking calls
   */
  LatestCalls(Executor io) {
    this.io = io;
  }

  /**
   * Makes the call after the one that is under way, instead of one that still waits under this key;
   * returns at once.
   *
   * @param call must not throw
   */
  void call(String key, Runnable call) {
    if (begins(key, call)) {
      io.execute(this::makeAll);
    }
  }

  private synchronized boolean begins(String key, Runnable call) {
    waiting.put(key, call);
    boolean begins = !calling;
    calling = true;
    return begins;
  }

  private void makeAll() {
    for (Runnable call = next(); call != null; call = next()) {
      call.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Iterator<Runnable> calls = waiting.values().iterator();
    if (!calls.hasNext()) {
      calling = false;
      return null;
    }
    Runnable call = calls.next();
    calls.remove();
    return call;
  }
}
