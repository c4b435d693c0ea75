package io.cloudkon.core.refusal;

import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Logs refusals, each action on each resource once: when it begins, and when a call of the same
 * kind has worked again. Credentials that the service does not take are one more such thing. Thread
 * safe.
 */
public final class RefusalLog {
  private static final String CREDENTIALS = "credentials";

  private final Consumer<String> log;
  private final Listener listener;
  private final Map<String, Standing> standing = new LinkedHashMap<>();
  private volatile boolean quiet = true;

  /** A refusal that lasts, and the kinds of calls that have met it. */
  private record Standing(Runnable over, Set<Object> calls, List<RefusedException> refusal) {}

  /** Nothing is refused yet; each line goes to {@code log}. */
  public RefusalLog(Consumer<String> log) {
    this(log, (refused, again) -> {});
  }

  /**
   * Nothing is refused yet.
   *
   * @param log takes each line
   * @param listener told of each refused call, in its thread; must not block
   */
  public RefusalLog(Consumer<String> log, Listener listener) {
    this.log = log;
    this.listener = listener;
  }

  /** Whoever does more about a refusal than to say it. */
  @FunctionalInterface
  public interface Listener {

    /**
     * A call was refused.
     *
     * @param again makes the call again, or one that needs the same permission and does no harm;
     *     blocks, and throws as the call does. Where there is no such call, as for a dead letter,
     *     throws the refusal again
     */
    void refused(RefusedException e, Runnable again);
  }

  /**
   * A call was refused.
   *
   * @param call its kind; equal for calls of which the success of one shows that the others may
   *     succeed
   * @param again see {@link Listener#refused}
   */
  public void refused(RefusedException e, Object call, Runnable again) {
    begin(
        e.what(),
        call,
        "refused, trying again: " + e.getMessage(),
        e.what() + " is allowed again",
        List.of(e));
    listener.refused(e, again);
  }

  /** A call failed in passing: of that, only credentials are told here. */
  public void failed(TransientServiceException e, Object call) {
    if (e.ofCredentials()) {
      begin(
          CREDENTIALS,
          call,
          "the credentials do not work just now, trying again: " + e.getMessage(),
          "the credentials work again",
          List.of());
    }
  }

  private synchronized void begin(
      String what, Object call, String line, String over, List<RefusedException> refusal) {
    Standing known = standing.get(what);
    if (known == null) {
      known = new Standing(() -> log.accept(over), new HashSet<>(), refusal);
      standing.put(what, known);
      quiet = false;
      log.accept(line);
    }
    known.calls().add(call);
  }

  /** Whether nothing is refused: then no success is news. */
  public boolean isQuiet() {
    return quiet;
  }

  /** A call was answered. */
  public synchronized void worked(Object call) {
    standing
        .values()
        .removeIf(refusal -> {
          boolean over = refusal.calls().contains(call) || refusal.refusal().isEmpty();
          if (over) {
            refusal.over().run();
          }
          return over;
        });
    quiet = standing.isEmpty();
  }

  /** What is refused just now, the oldest first. */
  public synchronized List<RefusedException> standing() {
    return standing.values().stream().flatMap(known -> known.refusal().stream()).toList();
  }
}
