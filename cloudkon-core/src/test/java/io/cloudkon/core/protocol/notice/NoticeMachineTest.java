package io.cloudkon.core.protocol.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.notice.NoticeEffect.Announce;
import io.cloudkon.core.protocol.notice.NoticeEffect.Drain;
import io.cloudkon.core.protocol.notice.NoticeEffect.LookForReplacement;
import io.cloudkon.core.protocol.notice.NoticeEvent.Interruption;
import io.cloudkon.core.protocol.notice.NoticeEvent.Maintenance;
import io.cloudkon.core.protocol.notice.NoticeEvent.Rebalance;
import io.cloudkon.core.protocol.notice.NoticeEvent.Tick;
import io.cloudkon.core.protocol.notice.NoticeEvent.Workers;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoticeMachineTest {
  private static final long DRAIN = 90_000;
  private static final long START = 1_000_000;

  private final NoticeMachine machine = new NoticeMachine("m", DRAIN);
  private Moment now = new Moment(5_000, START);

  private List<NoticeEffect> on(NoticeEvent event) {
    return machine.on(event, now);
  }

  private void later(long millis) {
    now = now.plus(millis);
  }

  private WorkerEntry worker(String id, String role, String notice, long since) {
    return new WorkerEntry(
        id,
        "host",
        WorkerOrigin.BY_HAND,
        WorkerTakes.ALL,
        role,
        notice,
        1,
        0,
        0,
        0,
        0,
        0,
        since,
        now.service());
  }

  private WorkerEntry fresh(String id) {
    return worker(id, "worker", "", now.service());
  }

  private WorkerEntry noticed(String id) {
    return worker(id, "worker", "rebalance", 0);
  }

  // ---- interruption

  @Test
  void interrupted_worker_drains_at_once_and_what_runs_has_until_thirty_seconds_before_the_end() {
    assertThat(on(new Interruption(START + 120_000)))
        .containsExactly(new Announce(Notice.INTERRUPTION), new Drain(Notice.INTERRUPTION, 90_000));
    assertThat(on(new Interruption(START + 120_000))).as("told again").isEmpty();
  }

  @Test
  void interruption_in_less_than_thirty_seconds_leaves_no_time() {
    assertThat(on(new Interruption(START + 20_000))).contains(new Drain(Notice.INTERRUPTION, 0));
  }

  @Test
  void interruption_at_an_unknown_time_drains_at_once_and_hurries_when_the_time_is_known() {
    assertThat(on(new Interruption(NoticeMachine.NEVER)))
        .contains(new Drain(Notice.INTERRUPTION, NoticeMachine.NEVER));
    assertThat(on(new Interruption(START + 60_000)))
        .contains(new Drain(Notice.INTERRUPTION, 30_000));
    assertThat(on(new Interruption(START + 90_000))).isEmpty();
  }

  // ---- rebalance

  @Test
  void recommended_worker_says_so_and_drains_when_another_has_come() {
    assertThat(on(new Rebalance()))
        .containsExactly(new Announce(Notice.REBALANCE), new LookForReplacement());
    WorkerEntry before = fresh("a");
    later(1_000);

    assertThat(on(new Workers(List.of(before, noticed("m"))))).isEmpty();
    assertThat(on(new Workers(List.of(before, noticed("m"), fresh("z")))))
        .containsExactly(
            new Announce(Notice.REBALANCE), new Drain(Notice.REBALANCE, NoticeMachine.NEVER));
    assertThat(machine.phase()).isEqualTo(NoticePhase.LEAVING);
  }

  @Test
  void worker_that_is_dead_or_drains_or_is_to_leave_itself_is_no_replacement() {
    var unused = on(new Rebalance());
    later(30_000);
    WorkerEntry dead = worker("d", "worker", "", now.service());
    later(WorkerEntry.SILENT_MILLIS);

    assertThat(
            on(
                new Workers(
                    List.of(
                        dead,
                        worker("e", "draining", "", now.service()),
                        worker("f", "worker", "rebalance", now.service())))))
        .doesNotHaveAnyElementsOfTypes(Drain.class);
  }

  @Test
  void one_replacement_lets_one_of_two_recommended_workers_go() {
    var unused = on(new Rebalance());
    later(1_000);
    WorkerEntry one = fresh("x");

    assertThat(on(new Workers(List.of(noticed("a"), noticed("m"), one)))).isEmpty();
    assertThat(on(new Workers(List.of(noticed("m"), one)))).as("the first has left").isEmpty();
    assertThat(on(new Workers(List.of(noticed("m"), one, fresh("y")))))
        .contains(new Drain(Notice.REBALANCE, NoticeMachine.NEVER));
  }

  @Test
  void looks_are_ten_seconds_apart_and_more_in_a_large_fleet() {
    var unused = on(new Rebalance());
    later(9_999);
    assertThat(on(new Tick())).isEmpty();
    later(1);
    assertThat(on(new Tick())).containsExactly(new LookForReplacement());
    List<WorkerEntry> fleet = java.util.Collections.nCopies(1_000, noticed("b"));
    later(10_000);
    assertThat(on(new Workers(fleet))).containsExactly(new LookForReplacement());
    later(59_999);
    assertThat(on(new Tick())).isEmpty();
    later(1);
    assertThat(on(new Tick())).containsExactly(new LookForReplacement());
  }

  @Test
  void recommended_worker_that_is_interrupted_waits_for_nobody() {
    var unused = on(new Rebalance());

    assertThat(on(new Interruption(START + 120_000)))
        .containsExactly(new Announce(Notice.INTERRUPTION), new Drain(Notice.INTERRUPTION, 90_000));
  }

  @Test
  void worker_that_drains_for_a_replacement_hurries_when_it_is_interrupted() {
    var before = on(new Rebalance());
    assertThat(before).isNotEmpty();
    later(1_000);
    assertThat(on(new Workers(List.of(fresh("z"))))).isNotEmpty();

    assertThat(on(new Interruption(now.service() + 60_000)))
        .contains(new Drain(Notice.INTERRUPTION, 30_000));
    assertThat(on(new Rebalance())).isEmpty();
  }

  // ---- maintenance

  @Test
  void maintenance_is_announced_five_minutes_before_the_drain_which_has_room_before_it() {
    long at = START + 3_600_000;
    Maintenance ahead = new Maintenance(List.of(at + 1_000_000, at));
    assertThat(on(ahead)).isEmpty();
    later(3_600_000 - 30_000 - DRAIN - 300_000 - 1);
    assertThat(on(ahead)).isEmpty();
    later(1);
    assertThat(on(ahead)).containsExactly(new Announce(Notice.MAINTENANCE));
    later(299_999);
    assertThat(on(new Tick())).isEmpty();
    later(1);

    assertThat(on(new Tick()))
        .containsExactly(new Announce(Notice.MAINTENANCE), new Drain(Notice.MAINTENANCE, DRAIN));
    assertThat(on(ahead)).isEmpty();
  }

  @Test
  void maintenance_that_is_called_off_is_announced_no_more() {
    Maintenance ahead = new Maintenance(List.of(START + 200_000));
    assertThat(on(ahead)).containsExactly(new Announce(Notice.MAINTENANCE));

    assertThat(on(new Maintenance(List.of()))).containsExactly(new Announce(Notice.NONE));
    assertThat(on(ahead)).containsExactly(new Announce(Notice.MAINTENANCE));
  }

  @Test
  void maintenance_in_less_time_than_a_drain_takes_drains_at_once() {
    assertThat(on(new Maintenance(List.of(START + 60_000))))
        .containsExactly(new Announce(Notice.MAINTENANCE), new Drain(Notice.MAINTENANCE, 30_000));
  }

  @Test
  void maintenance_that_was_due_before_the_worker_started_is_no_reason_to_leave() {
    assertThat(on(new Maintenance(List.of(START - 1)))).isEmpty();
    later(10_000_000);
    assertThat(on(new Tick())).isEmpty();
  }

  @Test
  void maintenance_that_falls_due_between_two_looks_is_not_forgotten() {
    assertThat(on(new Maintenance(List.of(START + 1_000_000)))).isEmpty();
    later(2_000_000);

    assertThat(on(new Maintenance(List.of(START + 1_000_000))))
        .contains(new Drain(Notice.MAINTENANCE, 0));
  }

  @Test
  void recommended_worker_leaves_for_maintenance_if_nobody_comes() {
    var unused = on(new Rebalance());
    assertThat(on(new Maintenance(List.of(START + 200_000)))).isEmpty();
    later(200_000 - 30_000 - DRAIN);

    assertThat(on(new Tick())).contains(new Drain(Notice.MAINTENANCE, DRAIN));
  }

  @Test
  void labels_are_what_a_workers_entry_says() {
    assertThat(List.of(Notice.values()))
        .map(Notice::label)
        .containsExactly("", "interruption", "rebalance", "maintenance");
  }
}
