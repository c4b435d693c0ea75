package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankLimitTest {
  private static RankLimit.Fleet fleet(int max, int slots, boolean jobs) {
    return fleet(max, slots, jobs, ProvisionerEntry.Fleet.UNSEEN);
  }

  private static RankLimit.Fleet fleet(
      int max, int slots, boolean jobs, ProvisionerEntry.Fleet seen) {
    WorkerTakes takes = new WorkerTakes(WorkerTakes.ALL.kinds(), true, jobs);
    return new ProvisionerEntry(
            "p",
            "host",
            500,
            new ProvisionerEntry.Settings("process", 1, max, slots, takes),
            1,
            1,
            seen,
            400)
        .rankLimit();
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
  void fleet_has_as_many_slots_as_its_provisioner_says_once_it_has_looked() {
    RankLimit.Fleet fleet =
        fleet(3, 2, true, new ProvisionerEntry.Fleet(0, 1, 0, 0, "", Map.of(), 0, 0, 20));

    assertThat(fleet).isEqualTo(new RankLimit.Fleet(20, 3, 2, 500));
    assertThat(fleet.launchedOnly()).isFalse();
    assertThat(fleet(3, 2, true).launchedOnly()).isTrue();
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
