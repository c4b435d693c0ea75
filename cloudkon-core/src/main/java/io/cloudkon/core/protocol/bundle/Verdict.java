package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;

/**
 * Decides about a bundle whose workers died too often (PROTOCOL.md, section 4): the task that was
 * started in the last attempt and not recorded has failed, the rest runs elsewhere. Where none was
 * started, nothing tells them apart.
 *
 * @param failed the tasks that have failed
 * @param children the tasks that go on, by the child that has them
 * @param reason in one line
 */
record Verdict(Positions failed, List<Positions> children, String reason) {

  /**
   * Says the same whoever comes to it: the one who gives up may die of something, too, and be
   * followed.
   *
   * @param attempts how many there may be, of deaths and in all
   */
  static Verdict of(Claim claim, Positions open, AttemptSettings attempts) {
    Positions suspects = open.common(claim.started());
    boolean died = claim.countedAttempts() > attempts.max();
    String reason = suspects.isEmpty() ? ofNone(died) : ofSuspects(died);
    int times = died ? attempts.max() : attempts.maxInAll();
    return new Verdict(
        suspects.isEmpty() ? open : suspects,
        suspects.isEmpty() ? List.of() : oneChild(open.minus(suspects)),
        reason.formatted(times));
  }

  private static String ofSuspects(boolean died) {
    return died
        ? "its worker died while it ran, %d times in all, the last ones with this task alone; it is"
            + " not tried again"
        : "its worker died, froze or was cut off while it ran, %d times in all, the last ones with"
            + " this task alone; it is not tried again";
  }

  private static String ofNone(boolean died) {
    return died
        ? "its bundle was tried %d times, and each time its worker died before it had started a"
            + " task of it"
        : "its bundle was tried %d times, and each time its worker died, froze or was cut off"
            + " before it had started a task of it";
  }

  /** These tasks go on together, if there are any. */
  static List<Positions> oneChild(Positions rest) {
    return rest.isEmpty() ? List.of() : List.of(rest);
  }

  /** So many sick workers gave it back. */
  static Verdict ofSickWorkers(
      int workers, String reason, Positions failed, List<Positions> children) {
    return new Verdict(
        failed,
        children,
        "%d workers could not start it, and it is not tried again; the last one said: %s"
            .formatted(workers, reason));
  }

  /** At-least-once, where nobody knows what was started. */
  static Verdict ofReceives(int receives, Positions all) {
    return new Verdict(
        all,
        List.of(),
        "its bundle was received %d times and never came to its end; it is not tried again"
            .formatted(receives));
  }
}
