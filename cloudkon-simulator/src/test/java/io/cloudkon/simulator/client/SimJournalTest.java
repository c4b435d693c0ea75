package io.cloudkon.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimJournalTest {
  private final SimJournal journal = new SimJournal();

  @Test
  void bundles_follow_one_another() {
    journal.open();
    for (int i = 0; i < 200; i++) {
      journal.made(1 + i % 7);
    }

    int first = 0;
    for (int i = 0; i < 200; i++) {
      assertThat(journal.first(i)).isEqualTo(first);
      assertThat(journal.count(i)).isEqualTo(1 + i % 7);
      first += 1 + i % 7;
    }
    assertThat(journal.bundles()).isEqualTo(200);
    assertThat(journal.tasks()).isEqualTo(first);
  }

  @Test
  void bundle_has_the_begin_of_its_first_send_and_the_moment_of_its_last_confirmation() {
    journal.open();
    journal.made(3);
    assertThat(journal.isConfirmed(0)).isFalse();

    journal.sendBegun(0, 10);
    journal.sendBegun(0, 20);
    journal.confirmed(0, 30);
    journal.confirmed(0, 50);

    assertThat(journal.sendBegun(0)).isEqualTo(10);
    assertThat(journal.sentAt(0)).isEqualTo(50);
    assertThat(journal.isConfirmed(0)).isTrue();
  }

  @Test
  void send_that_begins_with_the_simulation_is_a_begin_too() {
    journal.open();
    journal.made(1);

    journal.sendBegun(0, 0);
    journal.sendBegun(0, 20);

    assertThat(journal.sendBegun(0)).isZero();
  }

  @Test
  void successor_goes_on_with_what_stands_there_when_it_opens_it() {
    journal.open();
    journal.begun("Q-response-c1");
    for (int i = 0; i < 70; i++) {
      journal.made(2);
    }
    SimJournal successor = journal.successor();
    journal.confirmed(69, 5);
    journal.result(3);
    journal.lost(4);

    successor.open();

    assertThat(successor.firstQueue()).isEqualTo("Q-response-c1");
    assertThat(successor.bundles()).isEqualTo(70);
    assertThat(successor.tasks()).isEqualTo(140);
    assertThat(successor.first(69)).isEqualTo(138);
    assertThat(successor.isConfirmed(69)).isTrue();
    assertThat(successor.isConfirmed(68)).isFalse();
    assertThat(successor.sentAt(69)).isEqualTo(5);
    assertThat(successor.results().stream()).containsExactly(3);
    assertThat(successor.lost().stream()).containsExactly(4);
  }

  @Test
  void former_client_that_still_lives_writes_where_nobody_reads() {
    journal.open();
    journal.made(1);
    SimJournal successor = journal.successor();
    successor.open();

    journal.made(5);
    journal.result(0);
    journal.confirmed(0, 7);
    journal.sendBegun(0, 7);

    assertThat(successor.bundles()).isEqualTo(1);
    assertThat(successor.tasks()).isEqualTo(1);
    assertThat(successor.results().isEmpty()).isTrue();
    assertThat(successor.isConfirmed(0)).isFalse();
    successor.made(2);
    assertThat(successor.first(1)).isEqualTo(1);
    assertThat(journal.count(1)).isEqualTo(5);
  }
}
