package io.cloudkon.simulator.fleet;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Makes calls one at a time, like the worker's {@code LatestCalls}: a call replaces one with the
 * same key that still waits.
 */
final class SimLatestCalls {
  /** The latest call under each key; each is given what it must run once when it is over. */
  private final Map<String, Consumer<Runnable>> waiting = new LinkedHashMap<>();

  private boolean calling;

  /** Makes the call after the one that is under way, instead of one that waits under this key. */
  void call(String key, Consumer<Runnable> call) {
    waiting.put(key, call);
    if (!calling) {
      next();
    }
  }

  private void next() {
    Iterator<Consumer<Runnable>> calls = waiting.values().iterator();
    calling = calls.hasNext();
    if (calling) {
      Consumer<Runnable> call = calls.next();
      calls.remove();
      call.accept(this::next);
    }
  }
}
