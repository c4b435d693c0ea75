package io.cloudkon.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.port.WorkerTakes;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every {@link WorkerRegistry} does. */
public abstract class WorkerRegistryContract extends PortContract {

  private WorkerRegistry registry() {
    return cluster().workers();
  }

  private WorkerEntry entry(String id, int busy) {
    long now = fixture().serviceMillis();
    return new WorkerEntry(
        id,
        "host",
        new WorkerOrigin("token", "i-1", "c7i.large", "spot"),
        new WorkerTakes(Set.of(Work.Kind.NOOP, Work.Kind.EXEC), true, false),
        "worker",
        "rebalance",
        "its disk is full",
        4,
        busy,
        2,
        "reused",
        "172.17.0.2:7099",
        0.25,
        1L << 33,
        1L << 40,
        12345.678,
        Map.of("run-1", new FinishedTasks(1L << 40, 3, 0.125), "run-2", FinishedTasks.NONE),
        now - 1,
        now);
  }

  @Test
  void put_writes_every_field() {
    WorkerEntry entry = entry("w1", 3);

    registry().put(entry);

    assertThat(registry().list()).containsExactly(entry);
  }

  @Test
  void put_takes_values_at_their_edges() {
    long now = fixture().serviceMillis();
    WorkerEntry entry =
        new WorkerEntry(
            "w",
            "",
            WorkerOrigin.BY_HAND,
            new WorkerTakes(Set.of(), false, true),
            "draining",
            "",
            0,
            0,
            -1,
            0,
            Long.MAX_VALUE,
            0,
            0,
            now);

    registry().put(entry);

    assertThat(registry().list()).containsExactly(entry);
  }

  @Test
  void put_again_replaces_the_entry() {
    registry().put(entry("w1", 3));
    WorkerEntry later = entry("w1", 0);

    registry().put(later);

    assertThat(registry().list()).containsExactly(later);
  }

  @Test
  void list_gives_all_workers() {
    assertThat(registry().list()).isEmpty();
    registry().put(entry("w1", 1));
    registry().put(entry("w2", 2));

    assertThat(registry().list()).extracting(WorkerEntry::id).containsExactlyInAnyOrder("w1", "w2");
  }

  @Test
  void remove_removes_that_worker_only() {
    registry().put(entry("w1", 1));
    registry().put(entry("w2", 2));

    registry().remove("w1");

    assertThat(registry().list()).extracting(WorkerEntry::id).containsExactly("w2");
  }

  @Test
  void remove_of_an_unknown_worker_is_no_failure() {
    assertThatCode(() -> registry().remove("nobody")).doesNotThrowAnyException();
  }

  @Test
  void table_that_does_not_exist_is_named() {
    WorkerRegistry missing = fixture().missing().workers();

    assertThatThrownBy(() -> missing.put(entry("w1", 0)))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining(fixture().missing().name());
    assertThatThrownBy(missing::list).isInstanceOf(MissingResourceException.class);
  }
}
