package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobIntakeTest {
  private static final int SLOTS = 4;
  private static final int LIVE_SLOTS = 8;
  private Moment now = new Moment(1_000, 1_000);
  private final List<Job> jobs = new ArrayList<>();

  /** Adds jobs that have asked for slots in vain. */
  private void wait(int count, int ranks) {
    for (int i = 0; i < count; i++) {
      long key = jobs.size();
      Job job =
          new Job(
              new Arrival(
                  key, GangBench.job("run/e/" + key, ranks, Consistency.EXACTLY_ONCE), "r" + key),
              GangBench.settings("me", SLOTS, 0),
              now);
      job.move(JobPhase.Trigger.ASK);
      job.refused(now);
      jobs.add(job);
    }
  }

  private boolean receives(int liveSlots) {
    JobIntake intake = new JobIntake(SLOTS);
    // room for few jobs waits for a moment for more
    return intake.next(jobs, liveSlots, now).isPresent()
        || intake.next(jobs, liveSlots, now.plus(100)).isPresent();
  }

  @Test
  void eight_jobs_that_wait_for_slots_are_enough() {
    wait(7, LIVE_SLOTS);
    assertThat(receives(LIVE_SLOTS)).isTrue();
    wait(1, LIVE_SLOTS);
    assertThat(receives(LIVE_SLOTS)).isFalse();
  }

  @Test
  void jobs_that_wait_for_new_machines_keep_no_others_away_until_they_are_very_many() {
    wait(64, LIVE_SLOTS + 1);
    assertThat(receives(LIVE_SLOTS)).as("a fleet that is starting").isFalse();
    now = now.plus(40_000);
    assertThat(receives(LIVE_SLOTS)).isTrue();
    assertThat(receives(-1)).as("before the ledger was read").isFalse();
    wait(8, LIVE_SLOTS + 1);
    assertThat(receives(LIVE_SLOTS)).isFalse();
  }
}
