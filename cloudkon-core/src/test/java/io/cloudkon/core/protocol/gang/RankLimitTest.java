package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
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

    assertThat(fleet).isEqualTo(new RankLimit.Fleet(6, 3, 2, 500, false, ""));
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

  @Test
  void slots_of_a_worker_that_was_swept_count_for_three_leases_as_it_comes_back() {
    RankLimits limits = new RankLimits(GangBench.settings("w0", 4, 0));
    Moment now = new Moment(1_000, 1_000);
    limits.viewed(view(4, 4, 4), RankLimit.Fleet.NONE, now);
    limits.viewed(view(4, 4), RankLimit.Fleet.NONE, now.plus(1_000));
    assertThat(limits.limit(now)).isEqualTo(new RankLimit.LiveWorkers(12));
    limits.viewed(view(4, 4), RankLimit.Fleet.NONE, now.plus(44_999));
    assertThat(limits.limit(now)).isEqualTo(new RankLimit.LiveWorkers(12));

    limits.viewed(view(4, 4), RankLimit.Fleet.NONE, now.plus(45_000));

    assertThat(limits.limit(now)).isEqualTo(new RankLimit.LiveWorkers(8));
  }

  @Test
  void nobody_is_forgotten_before_this_worker_is_back_itself() {
    RankLimits limits = new RankLimits(GangBench.settings("w2", 4, 0));
    Moment now = new Moment(1_000, 1_000);
    limits.viewed(view(4, 4, 4), RankLimit.Fleet.NONE, now);
    limits.viewed(view(4, 4), RankLimit.Fleet.NONE, now.plus(44_000));
    limits.viewed(view(4, 4), RankLimit.Fleet.NONE, now.plus(88_000));

    assertThat(limits.limit(now)).isEqualTo(new RankLimit.LiveWorkers(12));
  }

  @Test
  void provisioner_that_has_not_looked_yet_limits_nothing_while_its_lease_lives() {
    RankLimits limits = new RankLimits(GangBench.settings("w0", 4, 0));
    RankLimit.Fleet unseen = fleet(1, 2, true);

    limits.viewed(view(4), unseen, new Moment(400, 400));
    assertThat(limits.limit(new Moment(400, 400))).isNull();

    limits.viewed(view(4), unseen, new Moment(500, 500));
    assertThat(limits.limit(new Moment(500, 500))).isEqualTo(new RankLimit.LiveWorkers(4));
  }

  @Test
  void provisioners_lease_that_ended_without_a_reading_shows_nothing() {
    RankLimits limits = new RankLimits(GangBench.settings("w0", 4, 0));
    RankLimit.Fleet fleet = new RankLimit.Fleet(3, 4, 10_000);
    Moment read = new Moment(1_000, 1_000);
    limits.viewed(view(4), fleet, read);

    assertThat(limits.limit(read.plus(9_000))).isEqualTo(new RankLimit.LiveWorkers(4));
    assertThat(limits.showedTooLarge(12)).isFalse();
    assertThat(limits.showedTooLarge(13)).isTrue();

    limits.viewed(view(4), fleet, read.plus(9_000));

    assertThat(limits.showedTooLarge(12)).isTrue();
    assertThat(limits.judgedAt()).isEqualTo(10_000);
  }

  @Test
  void fleet_that_is_as_large_as_it_may_be_is_the_limit_and_not_its_live_workers() {
    RankLimits limits = new RankLimits(GangBench.settings("w0", 4, 0));
    RankLimit.Fleet fleet = new RankLimit.Fleet(3, 4, 10_000);
    limits.viewed(view(4, 4, 4), fleet, new Moment(1_000, 1_000));

    assertThat(limits.limit(new Moment(1_000, 1_000))).isEqualTo(fleet);
  }

  @Test
  void fleet_with_workers_that_others_started_is_no_limit_at_its_largest_as_they_may_start_more() {
    RankLimits limits = new RankLimits(GangBench.settings("w0", 4, 0));
    RankLimit.Fleet fleet = new RankLimit.Fleet(12, 2, 3, 10_000);
    Moment now = new Moment(1_000, 1_000);
    limits.viewed(view(4, 4, 4), fleet, now);

    assertThat(limits.limit(now)).isEqualTo(new RankLimit.LiveWorkers(12));
  }

  @Test
  void fleet_whose_launches_are_refused_is_the_limit_and_not_its_live_workers() {
    RankLimits limits = new RankLimits(GangBench.settings("w0", 4, 0));
    RankLimit.Fleet fleet = new RankLimit.Fleet(12, 9, 3, 10_000, true, "VcpuLimitExceeded");
    Moment now = new Moment(1_000, 1_000);
    limits.viewed(view(4, 4, 4), fleet, now);

    assertThat(limits.limit(now)).isEqualTo(fleet);
  }

  private static LedgerView view(int... slots) {
    List<Share> shares = new ArrayList<>();
    for (int each : slots) {
      shares.add(Share.ofWorker("w" + shares.size(), each, Long.MAX_VALUE));
    }
    return new LedgerView(LedgerCounter.NONE, shares, List.of(), null);
  }
}
