package io.cloudkon.client.status;

import io.cloudkon.core.port.RunEntry;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The runs that a list has room for, in the order of the list: those whose client is gone, the
 * other open ones, and those that are over, in each group the newest first. If there is no room for
 * all, at most three of the first group are shown, so that runs that nobody resumes, whose entries
 * last 15 days, do not hide those that go on.
 *
 * @param gone those shown whose client is gone
 * @param moreGone the number of further ones
 * @param others the other runs shown
 * @param moreOthers the number of further ones
 */
record ShownRuns(List<RunEntry> gone, int moreGone, List<RunEntry> others, int moreOthers) {
  private static final int MOST_GONE = 3;

  /**
   * The runs of a cluster that are shown.
   *
   * @param most the maximum number
   */
  static ShownRuns of(ClusterStatus status, int most) {
    Predicate<RunEntry> isGone = run -> statusOf(run, status) == RunStatus.GONE;
    List<RunEntry> gone = status.runs().stream().filter(isGone).toList();
    List<RunEntry> others =
        status.runs().stream()
            .filter(isGone.negate())
            .sorted(Comparator.comparing(run -> statusOf(run, status).isOver()))
            .toList();
    boolean cut = status.runs().size() > most;
    int goneShown = Math.min(gone.size(), cut ? Math.min(MOST_GONE, Math.ceilDiv(most, 2)) : most);
    int othersShown = Math.min(others.size(), most - goneShown);
    return new ShownRuns(
        gone.subList(0, goneShown),
        gone.size() - goneShown,
        others.subList(0, othersShown),
        others.size() - othersShown);
  }

  private static RunStatus statusOf(RunEntry run, ClusterStatus status) {
    return RunStatus.of(run, status.atMillis());
  }
}
