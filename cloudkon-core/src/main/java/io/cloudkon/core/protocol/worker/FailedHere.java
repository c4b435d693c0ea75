package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.time.Moment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bundles of tasks that failed on this worker and are to be tried by another one. If this
 * worker receives such a bundle again, it puts it back a few times, for a second each. It does not
 * query whether there are other workers. If none takes the bundle, this worker behaves as if it was
 * alone: it runs the bundle, and for a minute retries failed tasks itself. So a worker that is
 * alone loses a bounded time, and no bundle waits for workers that are busy, dead or not allowed to
 * run it. Pure; used by one thread at a time.
 */
final class FailedHere {
  /** How often a bundle is put back. */
  static final int PUT_BACKS = 10;

  /** How long it is hidden each time, in milliseconds. */
  static final long HIDDEN = 1_000;

  /** The total time for which it is put back, in milliseconds. */
  static final long AVOIDED = 30_000;

  /** How long tasks are then retried here, in milliseconds. */
  static final long ALONE = 60_000;

  /** The maximum number of remembered bundles. */
  private static final int KNOWN = 1_000;

  private final Map<String, Sent> sent = new LinkedHashMap<>();
  private long aloneUntil;

  /** The time at which a bundle was handed on, and how often it was received again since. */
  private record Sent(long since, int putBacks) {}

  /**
   * An instance without failed tasks.
   *
   * @param only whether there can be no other worker
   */
  FailedHere(boolean only) {
    aloneUntil = only ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** Records that a child of the bundle is sent. */
  void sending(String bundle, BundleEffect.SendChild child, Moment now) {
    if (!child.failedHere()) {
      return;
    }
    if (sent.size() >= KNOWN) {
      sent.remove(sent.keySet().iterator().next());
    }
    sent.putIfAbsent(BundleIds.child(bundle, child.k()), new Sent(now.mono(), 0));
  }

  /** Whether this bundle, which has just arrived, is left to other workers. */
  boolean leaves(String bundle, Moment now) {
    Sent known = sent.get(bundle);
    if (known == null) {
      return false;
    }
    boolean early = now.mono() - known.since() < AVOIDED && known.putBacks() < PUT_BACKS;
    if (early && looksForOthers(now)) {
      sent.put(bundle, new Sent(known.since(), known.putBacks() + 1));
      return true;
    }
    sent.remove(bundle);
    aloneUntil = now.mono() + ALONE;
    return false;
  }

  /** Whether failed tasks are to be tried by other workers. */
  boolean looksForOthers(Moment now) {
    return now.mono() >= aloneUntil;
  }
}
