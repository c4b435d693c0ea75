package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;

/**
 * The decision about a bundle whose workers died too often (PROTOCOL.md, section 4): the task that
 * was started in the last attempt and not recorded has failed, and the rest runs elsewhere. If none
 * was started, the tasks cannot be distinguished.
 *
 * @param failed the tasks that have failed
 * @param children the tasks that continue, by child
 * @param reason the reason, in one line
 */
record Verdict(Positions failed, List<Positions> children, String reason) {

  /**
   * The decision for a claim. It is the same for every worker that makes it, because the first one
   * may die before it has carried it out.
   *
   * @param attempts the maximum numbers of attempts
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
        ? "its worker died while it ran, %d times in total, the last times with this task alone; it"
            + " is not tried again"
        : "its worker died, froze or lost its connection while it ran, %d times in total, the last"
            + " times with this task alone; it is not tried again";
  }

  private static String ofNone(boolean died) {
    return died
        ? "its bundle was tried %d times, and each time its worker died before it had started a"
            + " task of it"
        : "its bundle was tried %d times, and each time its worker died, froze or lost its"
            + " connection before it had started a task of it";
  }

  /** One child with these tasks, if there are any. */
  static List<Positions> oneChild(Positions rest) {
    return rest.isEmpty() ? List.of() : List.of(rest);
  }

  /** The decision after too many sick workers gave the bundle back. */
  static Verdict ofSickWorkers(
      int workers, String reason, Positions failed, List<Positions> children) {
    return new Verdict(
        failed,
        children,
        "%d workers could not start it, and it is not tried again; the last one reported: %s"
            .formatted(workers, reason));
  }

  /** The decision in at-least-once, where it is unknown which tasks were started. */
  static Verdict ofReceives(int receives, Positions all) {
    return new Verdict(
        all,
        List.of(),
        "its bundle was received %d times but never finished; it is not tried again"
            .formatted(receives));
  }
}
