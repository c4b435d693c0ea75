package io.cloudkon.core.protocol.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthMachineTest {
  private static final Sickness FULL = new Sickness.Scratch("No space left on device");
  private static final Sickness REFUSED = new Sickness.BlobStore("AccessDenied");

  private final HealthMachine machine = new HealthMachine(HealthSettings.DEFAULT);

  private static Moment at(long millis) {
    return new Moment(millis, millis);
  }

  private List<HealthEffect> passes(long at) {
    return machine.probed(Optional.empty(), at(at));
  }

  private List<HealthEffect> fails(Sickness with, long at) {
    return machine.probed(Optional.of(with), at(at));
  }

  private void sickSince(long at) {
    machine.suspected();
    fails(FULL, at);
  }

  @Test
  void suspicion_whose_probe_succeeds_leaves_the_worker_well() {
    assertThat(machine.suspected()).containsExactly(new HealthEffect.Probe());
    assertThat(machine.phase()).isEqualTo(HealthPhase.SUSPECTED);

    assertThat(passes(5)).isEmpty();

    assertThat(machine.phase()).isEqualTo(HealthPhase.WELL);
    assertThat(machine.sickness()).isEmpty();
  }

  @Test
  void suspicion_whose_probe_fails_makes_the_worker_sick() {
    machine.suspected();

    assertThat(fails(FULL, 5)).containsExactly(new HealthEffect.BecomeSick(FULL));

    assertThat(machine.phase()).isEqualTo(HealthPhase.SICK);
    assertThat(machine.sickness()).contains(FULL);
  }

  @Test
  void sick_worker_tries_itself_after_1_s_doubling_to_30_s() {
    sickSince(0);
    List<Long> tried = new ArrayList<>();
    for (long now = 0; now < 130_000; now += 500) {
      if (machine.tick(at(now)).contains(new HealthEffect.Probe())) {
        tried.add(now);
        fails(FULL, now);
      }
    }

    assertThat(tried)
        .containsExactly(1_000L, 3_000L, 7_000L, 15_000L, 31_000L, 61_000L, 91_000L, 121_000L);
  }

  @Test
  void another_cause_that_a_later_probe_finds_is_told_once() {
    sickSince(0);
    machine.tick(at(1_000));

    assertThat(fails(REFUSED, 1_000)).containsExactly(new HealthEffect.StaySick(REFUSED));
    machine.tick(at(3_000));
    assertThat(fails(REFUSED, 3_000)).isEmpty();
    assertThat(machine.sickness()).contains(REFUSED);
  }

  @Test
  void probe_under_way_is_not_repeated() {
    sickSince(0);
    machine.tick(at(1_000));

    assertThat(machine.tick(at(20_000))).isEmpty();
  }

  @Test
  void sick_worker_whose_probe_succeeds_recovers_and_may_fall_sick_anew() {
    sickSince(1_000);
    machine.tick(at(2_000));

    assertThat(passes(2_500)).containsExactly(new HealthEffect.Recover(FULL, 1_500));
    assertThat(machine.sickness()).isEmpty();

    machine.suspected();
    assertThat(fails(REFUSED, 400_000)).containsExactly(new HealthEffect.BecomeSick(REFUSED));
    assertThat(machine.tick(at(401_000))).containsExactly(new HealthEffect.Probe());
  }

  @Test
  void worker_that_is_sick_for_too_long_clears_what_runs_and_ends() {
    sickSince(0);

    assertThat(machine.tick(at(300_000))).containsExactly(new HealthEffect.Clear());
    assertThat(machine.tick(at(300_050))).isEmpty();
    assertThat(fails(REFUSED, 301_000)).containsExactly(new HealthEffect.End(REFUSED));

    assertThat(machine.phase()).isEqualTo(HealthPhase.ENDING);
    assertThat(machine.tick(at(900_000))).isEmpty();
  }

  @Test
  void worker_that_recovers_when_what_ran_is_gone_does_not_end() {
    sickSince(0);
    machine.tick(at(300_000));

    assertThat(passes(301_000)).containsExactly(new HealthEffect.Recover(FULL, 301_000));

    assertThat(machine.phase()).isEqualTo(HealthPhase.WELL);
  }

  @Test
  void worker_that_is_refused_for_too_long_leaves_what_runs_alone_and_ends() {
    machine.suspected();
    fails(REFUSED, 0);

    assertThat(machine.tick(at(300_000))).containsExactly(new HealthEffect.Probe());
    assertThat(machine.tick(at(300_050))).isEmpty();
    assertThat(fails(REFUSED, 301_000)).containsExactly(new HealthEffect.End(REFUSED));

    assertThat(machine.phase()).isEqualTo(HealthPhase.ENDING);
  }

  @Test
  void worker_that_is_refused_no_more_at_the_last_probe_recovers() {
    machine.suspected();
    fails(new Sickness.Service("sqs"), 0);
    machine.tick(at(300_000));

    assertThat(passes(301_000))
        .containsExactly(new HealthEffect.Recover(new Sickness.Service("sqs"), 301_000));
  }

  @Test
  void what_was_found_last_says_whether_tasks_may_be_the_cause() {
    machine.suspected();
    fails(REFUSED, 0);
    machine.tick(at(1_000));
    fails(FULL, 1_000);

    assertThat(machine.tick(at(300_000))).containsExactly(new HealthEffect.Clear());
  }

  @Test
  void tasks_may_fill_what_is_the_workers_own_and_never_make_a_service_refuse() {
    assertThat(FULL.mayBeOfTasks()).isTrue();
    assertThat(new Sickness.Processes("").mayBeOfTasks()).isTrue();
    assertThat(new Sickness.Memory("").mayBeOfTasks()).isTrue();
    assertThat(REFUSED.mayBeOfTasks()).isFalse();
    assertThat(new Sickness.Service("").mayBeOfTasks()).isFalse();
  }

  @Test
  void suspicion_of_a_sick_worker_is_nothing_new() {
    sickSince(0);

    assertThat(machine.suspected()).isEmpty();
    assertThat(machine.phase()).isEqualTo(HealthPhase.SICK);
  }

  @Test
  void reason_names_the_cause_and_its_detail() {
    assertThat(FULL.reason())
        .isEqualTo("its temporary file system cannot be written: No space left on device");
    assertThat(new Sickness.Memory("").reason()).isEqualTo("it is out of memory");
    assertThat(new Sickness.Processes("error=11").reason())
        .isEqualTo("it cannot start processes: error=11");
    assertThat(new Sickness.Service("sqs").reason()).isEqualTo("a service refuses it: sqs");
    assertThat(REFUSED.reason()).isEqualTo("the blob store refuses it: AccessDenied");
  }

  @Test
  void defaults_are_1_s_to_30_s_for_5_min() {
    assertThat(HealthSettings.DEFAULT).isEqualTo(new HealthSettings(1_000, 30_000, 300_000));
    assertThat(HealthSettings.ofTimeout(7_000)).isEqualTo(new HealthSettings(1_000, 30_000, 7_000));
    assertThatThrownBy(() -> new HealthSettings(10, 5, 1))
        .hasMessageContaining("tries itself after 10 ms, at most 5 ms");
  }
}
