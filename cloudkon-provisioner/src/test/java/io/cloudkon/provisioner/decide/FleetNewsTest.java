package io.cloudkon.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryInstanceLauncher;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FleetNewsTest {
  private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);

  private final List<String> lines = new ArrayList<>();
  private final FleetNews news =
      new FleetNews(new MemoryInstanceLauncher(new ManualTime()), lines::add);

  private void looks(int wanted, int launch, String reason, String... held) {
    news.tell(seen(List.of(), List.of()), plan(wanted, launch, reason, held));
  }

  private static FleetPlan plan(int wanted, int launch, String reason, String... held) {
    return new FleetPlan(
        new ProvisionerEntry.Fleet(wanted, 0, 0, 0, reason, Map.of(), 0, 0, 0),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        launch,
        "",
        List.of(held),
        false);
  }

  private static FleetObservation seen(List<WorkerEntry> workers, List<LaunchedInstance> listed) {
    return new FleetObservation(
        1_000, List.of(), EMPTY, EMPTY, List.of(), workers, List.<Decision>of(), Set.of(), listed);
  }

  private static LaunchedInstance instance(int number, LaunchedInstance.State state) {
    return new LaunchedInstance("i" + number, "launch", "process", "", state, 0);
  }

  private static WorkerEntry worker(int number) {
    WorkerOrigin origin = new WorkerOrigin("launch", "i" + number, "process", "");
    return new WorkerEntry(
        "w" + number, "host", origin, WorkerTakes.ALL, "worker", "", 1, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void obstacle_is_told_once_as_long_as_it_holds() {
    looks(1, 0, "1 task waits; the last launch failed: next try in 10 s", "the last launch failed");
    looks(1, 0, "1 task waits; the last launch failed: next try in 5 s", "the last launch failed");

    assertThat(lines)
        .containsExactly(
            "nothing is launched: 1 task waits; the last launch failed: next try in 10 s");
  }

  @Test
  void another_obstacle_is_told_and_so_is_one_that_comes_back_for_other_work() {
    looks(1, 0, "A", "one");
    looks(1, 0, "B", "two");
    looks(0, 0, "nothing waits");
    looks(1, 0, "C", "two");

    assertThat(lines)
        .containsExactly(
            "nothing is launched: A", "nothing is launched: B", "nothing is launched: C");
  }

  @Test
  void launch_of_fewer_than_are_missing_is_told_by_its_own_line() {
    looks(3, 1, "A", "the maximum of 3 workers is reached");
    looks(3, 0, "A", "the maximum of 3 workers is reached");

    assertThat(lines).isEmpty();
  }

  @Test
  void end_of_a_worker_is_told_once_whether_or_not_it_left_an_entry() {
    LaunchedInstance.State running = LaunchedInstance.State.RUNNING;
    LaunchedInstance.State ended = LaunchedInstance.State.ENDED;
    FleetPlan plan = plan(0, 0, "nothing waits");

    news.tell(seen(List.of(worker(1)), List.of(instance(1, running))), plan);
    news.tell(seen(List.of(), List.of(instance(1, ended))), plan);
    news.tell(seen(List.of(), List.of(instance(1, ended))), plan);

    assertThat(lines).singleElement().asString().startsWith("worker i1 has ended");
  }

  @Test
  void instance_that_never_registered_is_not_told_here() {
    FleetPlan plan = plan(1, 0, "1 task waits");

    news.tell(seen(List.of(), List.of(instance(1, LaunchedInstance.State.RUNNING))), plan);
    news.tell(seen(List.of(), List.of(instance(1, LaunchedInstance.State.ENDED))), plan);

    assertThat(lines).isEmpty();
  }

  @Test
  void many_ends_are_three_lines_and_a_number() {
    List<WorkerEntry> workers = new ArrayList<>();
    List<LaunchedInstance> before = new ArrayList<>();
    List<LaunchedInstance> after = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      workers.add(worker(i));
      before.add(instance(i, LaunchedInstance.State.RUNNING));
      after.add(instance(i, LaunchedInstance.State.ENDED));
    }

    news.tell(seen(workers, before), plan(0, 0, ""));
    news.tell(seen(workers, after), plan(0, 0, ""));

    assertThat(lines).hasSize(4);
    assertThat(lines.getLast()).isEqualTo("2 more workers have ended");
  }
}
