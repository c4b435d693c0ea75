package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receives of a worker that is about to end. */
class PollsTest {
  private final List<Polls> both = Polls.ofQueues(2);
  private final Polls tasks = both.getFirst();
  private final Polls jobs = both.getLast();

  private static void receive(Polls polls, int messages) {
    assertThat(polls.begin()).isNotNull();
    polls.ended(messages);
  }

  @Test
  void receives_wait_for_20_s_and_then_for_as_long_as_was_said() {
    Polls only = Polls.ofQueues(1).getFirst();
    assertThat(only.begin()).isEqualTo(Duration.ofSeconds(20));

    only.waitUpTo(Duration.ofSeconds(3));

    assertThat(only.begin()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void empty_receive_before_the_last_look_says_nothing() {
    Polls only = Polls.ofQueues(1).getFirst();
    receive(only, 0);
    only.lastLook();

    assertThat(only.empty()).isFalse();
    assertThat(only.begin()).isNotNull();
  }

  @Test
  void receive_that_began_before_the_last_look_says_nothing() {
    Polls only = Polls.ofQueues(1).getFirst();
    assertThat(only.begin()).isNotNull();
    only.lastLook();
    only.ended(0);

    assertThat(only.empty()).isFalse();
    receive(only, 0);
    assertThat(only.empty()).isTrue();
  }

  @Test
  void receive_that_failed_or_brought_something_is_no_empty_one() {
    Polls only = Polls.ofQueues(1).getFirst();
    only.lastLook();

    receive(only, -1);
    assertThat(only.empty()).isFalse();
    receive(only, 1);
    assertThat(only.empty()).isFalse();
    receive(only, 0);
    assertThat(only.empty()).isTrue();
  }

  @Test
  void nothing_is_received_after_an_empty_last_look() {
    tasks.lastLook();
    jobs.lastLook();
    receive(tasks, 0);
    receive(jobs, 0);

    assertThat(tasks.begin()).isNull();
    assertThat(jobs.begin()).isNull();
  }

  @Test
  void queue_that_was_empty_waits_for_the_look_at_the_other_one() {
    tasks.lastLook();
    jobs.lastLook();
    assertThat(jobs.begin()).isNotNull();
    receive(tasks, 0);

    assertThat(tasks.begin()).isNull();

    jobs.ended(1);
    assertThat(tasks.begin()).isNotNull();
  }

  @Test
  void queue_that_was_empty_is_looked_at_on_while_nobody_looks_at_the_other_one() {
    tasks.lastLook();
    jobs.lastLook();
    receive(tasks, 0);
    assertThat(tasks.begin()).isNotNull();
    receive(jobs, 0);

    assertThat(tasks.empty()).isFalse();
    assertThat(jobs.begin()).isNull();

    tasks.ended(0);
    assertThat(both).allMatch(Polls::empty);
  }

  @Test
  void receives_go_on_where_there_was_something_after_all() {
    tasks.lastLook();
    jobs.lastLook();
    receive(tasks, 0);
    tasks.goOn();
    jobs.goOn();

    assertThat(tasks.empty()).isFalse();
    assertThat(tasks.begin()).isNotNull();
    tasks.ended(0);
    assertThat(tasks.empty()).isFalse();
  }
}
