package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.time.Moment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bundles of tasks that failed in this worker, and are to be tried by another: one that comes
 * back is put back a few times, for a second each. Nobody is asked whether there are other workers.
 * If none takes it, this one is as good as alone: it runs that bundle, and for a minute it tries
 * again itself what fails. So the loss of a worker that is alone is bounded, and no bundle waits
 * for workers that are busy, dead or not allowed to run it. Pure; used by one thread at a time.
 */
final class FailedHere {
  /** How often one of them is put back. */
  static final int PUT_BACKS = 10;

  /** For how long it is hidden each time, in milliseconds. */
  static final long HIDDEN = 1_000;

  /** For how long it is put back, in milliseconds. */
  static final long AVOIDED = 30_000;

  /** For how long nobody else is looked for after that, in milliseconds. */
  static final long ALONE = 60_000;

  /** How many are remembered. */
  private static final int KNOWN = 1_000;

  private final Map<String, Sent> sent = new LinkedHashMap<>();
  private long aloneUntil;

  /** When it was handed on, and how often it came back since. */
  private record Sent(long since, int putBacks) {}

  /**
   * Nothing has failed so far.
   *
   * @param only whether there can be no other worker
   */
  FailedHere(boolean only) {
    aloneUntil = only ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** A child of the bundle is sent. */
  void sending(String bundle, BundleEffect.SendChild child, Moment now) {
    if (!child.failedHere()) {
      return;
    }
    if (sent.size() >= KNOWN) {
      sent.remove(sent.keySet().iterator().next());
    }
    sent.putIfAbsent(BundleIds.child(bundle, child.k()), new Sent(now.mono(), 0));
  }

  /** Whether this bundle, which just arrived, is left to others. */
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

  /** Whether other workers are to try what fails here. */
  boolean looksForOthers(Moment now) {
    return now.mono() >= aloneUntil;
  }
}
