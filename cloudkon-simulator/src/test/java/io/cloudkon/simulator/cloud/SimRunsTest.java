package io.cloudkon.simulator.cloud;

import static io.cloudkon.simulator.cloud.Lab.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the contract suite cannot see: late copies, and what is billed. */
class SimRunsTest {
  private static RunEntry entry(String holder, long now) {
    return new RunEntry(
        "r0",
        "e",
        RunEntry.State.OPEN,
        Consistency.EXACTLY_ONCE,
        "Q-response-" + holder,
        holder,
        "",
        now + 15_000,
        "",
        1,
        0,
        Map.of(),
        RemainingWork.UNKNOWN,
        now,
        now);
  }

  private static RunEntry later(RunEntry entry, RunEntry.State state, long now) {
    return entry.with(state, now + 15_000, 1, 0, Map.of(), now);
  }

  @Test
  void late_copy_of_a_write_undoes_nothing_that_came_after_it() {
    FaultSettings copied =
        new FaultSettings(
            Map.of(Call.RUN_WRITE, new Odds(0, 0, 1, 0)),
            SECOND,
            0,
            0,
            0,
            List.of(),
            Long.MAX_VALUE);
    for (int seed = 0; seed < 50; seed++) {
      Lab lab = new Lab(Lab.instant().with(copied), seed);
      SimRuns runs = new SimRuns(lab.network, lab.watch);
      RunEntry begun = entry("c1", 1);
      RunEntry moved = later(begun, RunEntry.State.OPEN, 2).answeredAt("elsewhere", 2);
      RunEntry ended = later(moved, RunEntry.State.ENDED, 3);
      for (RunEntry next : List.of(begun, moved, ended)) {
        Lab.Awaited<Boolean> answer = lab.new Awaited<>();
        if (next.equals(begun)) {
          runs.create(lab.caller, next, answer);
        } else {
          runs.update(lab.caller, next, answer);
        }
        assertThat(answer.get()).isTrue();
      }

      lab.pass(2 * SECOND);

      assertThat(runs.current("r0")).isEqualTo(ended);
    }
  }

  @Test
  void unknown_run_has_ended_and_nobody_holds_it() {
    Lab lab = new Lab();
    SimRuns runs = new SimRuns(lab.network, lab.watch);
    Lab.Awaited<RunEntry> answer = lab.new Awaited<>();

    runs.read(lab.caller, "r9", answer);

    assertThat(answer.get().state()).isEqualTo(RunEntry.State.ENDED);
    assertThat(answer.get().holder()).isEmpty();
    assertThat(runs.cancel("r9", 1)).isFalse();
    assertThat(lab.counts.of(Call.RUN_READ)).isEqualTo(1);
  }

  @Test
  void cancel_says_whether_it_changed_anything() {
    Lab lab = new Lab();
    SimRuns runs = new SimRuns(lab.network, lab.watch);
    Lab.Awaited<Boolean> created = lab.new Awaited<>();
    runs.create(lab.caller, entry("c1", 1), created);
    assertThat(created.get()).isTrue();

    assertThat(runs.cancel("r0", 2)).isTrue();
    assertThat(runs.cancel("r0", 3)).isFalse();

    assertThat(runs.current("r0").state()).isEqualTo(RunEntry.State.CANCELLED);
    assertThat(runs.current("r0").holder()).isEqualTo("c1");
  }
}
