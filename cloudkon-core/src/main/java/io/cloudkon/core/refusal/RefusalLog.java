package io.cloudkon.core.refusal;

import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Logs refusals. Each action on each resource is logged once when it is refused, and once when a
 * call of the same kind works again. Credentials that a service does not accept are handled in the
 * same way. Of more than 1,000 refusals at a time, the oldest are forgotten: that of a run's queue
 * never ends if nobody calls that queue any more. Thread safe.
 */
public final class RefusalLog {
  private static final int MOST = 1_000;
  private static final String CREDENTIALS = "credentials";

  private final Consumer<String> log;
  private final Listener listener;
  private final SequencedMap<String, Standing> standing = new LinkedHashMap<>();
  private volatile boolean quiet = true;

  /**
   * A lasting refusal and the kinds of calls that it affected.
   *
   * @param byAny whether the success of any call ends it, and not only that of a call that it
   *     affected
   */
  private record Standing(Runnable over, Set<Object> calls, boolean byAny) {}

  /** A log without refusals, which writes each line to {@code log}. */
  public RefusalLog(Consumer<String> log) {
    this(log, (refused, again) -> {});
  }

  /**
   * A log without refusals.
   *
   * @param log receives each line
   * @param listener called for each refused call, on its thread; must not block
   */
  public RefusalLog(Consumer<String> log, Listener listener) {
    this.log = log;
    this.listener = listener;
  }

  /** Reacts to refusals in addition to logging. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called when a call was refused.
     *
     * @param again repeats the call, or makes a harmless one that needs the same permission;
     *     blocks, and throws like the call. If there is no such call, as for a dead letter, it
     *     throws the refusal again
     */
    void refused(RefusedException e, Runnable again);
  }

  /**
   * Handles a refused call.
   *
   * @param call its kind, which is equal for calls if the success of one shows that the others may
   *     succeed
   * @param again see {@link Listener#refused}
   */
  public void refused(RefusedException e, Object call, Runnable again) {
    begin(
        e.what(),
        call,
        "refused, trying again: " + e.getMessage(),
        e.what() + " is allowed again",
        false);
    listener.refused(e, again);
  }

  /** Handles a call that failed temporarily; only problems of credentials are logged here. */
  public void failed(TransientServiceException e, Object call) {
    if (e.ofCredentials()) {
      begin(
          CREDENTIALS,
          call,
          "the credentials do not work at the moment, trying again: " + e.getMessage(),
          "the credentials work again",
          true);
    }
  }

  private synchronized void begin(
      String what, Object call, String line, String over, boolean byAny) {
    Standing known = standing.get(what);
    if (known == null) {
      known = new Standing(() -> log.accept(over), new HashSet<>(), byAny);
      if (standing.size() == MOST) {
        var _ = standing.pollFirstEntry();
      }
      standing.put(what, known);
      quiet = false;
      log.accept(line);
    }
    known.calls().add(call);
  }

  /** Whether nothing is refused, so that successes need not be reported. */
  public boolean isQuiet() {
    return quiet;
  }

  /** Handles a successful call. */
  public synchronized void worked(Object call) {
    standing
        .values()
        .removeIf(refusal -> {
          boolean over = refusal.byAny() || refusal.calls().contains(call);
          if (over) {
            refusal.over().run();
          }
          return over;
        });
    quiet = standing.isEmpty();
  }
}
