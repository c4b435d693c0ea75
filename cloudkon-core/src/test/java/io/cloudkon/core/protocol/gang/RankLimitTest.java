package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import org.junit.jupiter.api.Test;

class RankLimitTest {
  private static RankLimit.Fleet fleet(int max, int slots, boolean jobs) {
    WorkerTakes takes = new WorkerTakes(WorkerTakes.ALL.kinds(), true, jobs);
    return RankLimit.Fleet.of(
        new ProvisionerEntry(
            "p",
            "host",
            500,
            new ProvisionerEntry.Settings("process", 1, max, slots, takes),
            1,
            1,
            ProvisionerEntry.Fleet.UNSEEN,
            400));
  }

  @Test
  void fleet_has_max_times_slots_until_its_lease_is_over() {
    RankLimit.Fleet fleet = fleet(3, 2, true);

    assertThat(fleet).isEqualTo(new RankLimit.Fleet(3, 2, 500));
    assertThat(fleet.ranks()).isEqualTo(6);
    assertThat(fleet.livesAt(499)).isTrue();
    assertThat(fleet.livesAt(500)).isFalse();
  }

  @Test
  void fleet_that_takes_no_jobs_is_none() {
    assertThat(fleet(3, 2, false)).isEqualTo(RankLimit.Fleet.NONE);
    assertThat(RankLimit.Fleet.NONE.livesAt(0)).isFalse();
  }

  @Test
  void fleet_beyond_all_counting_has_as_many_as_can_be_counted() {
    assertThat(fleet(1_000_000, 10_000, true).ranks()).isEqualTo(Integer.MAX_VALUE);
  }
}
