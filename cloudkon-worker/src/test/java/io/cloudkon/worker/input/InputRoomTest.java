package io.cloudkon.worker.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Large inputs of several slots at a time. */
class InputRoomTest {
  private final InputRoom room = new InputRoom(100);

  @Test
  void inputs_that_fit_together_wait_for_nothing() {
    assertThat(room.place(40).granted()).isDone();
    assertThat(room.place(60).granted()).isDone();
  }

  @Test
  void input_that_does_not_fit_waits_for_others_to_leave_and_nobody_overtakes_it() {
    InputRoom.Place first = room.place(60);
    InputRoom.Place large = room.place(50);
    InputRoom.Place small = room.place(10);
    assertThat(large.granted()).isNotDone();
    assertThat(small.granted()).isNotDone();

    first.close();
    first.close();

    assertThat(large.granted()).isDone();
    assertThat(small.granted()).isDone();
    assertThat(room.place(41).granted()).isNotDone();
  }

  @Test
  void input_that_is_larger_than_all_the_room_gets_it_alone() {
    InputRoom.Place huge = room.place(500);
    assertThat(huge.granted()).isDone();
    InputRoom.Place next = room.place(1);
    assertThat(next.granted()).isNotDone();

    huge.close();
    assertThat(next.granted()).isDone();
  }

  @Test
  void slot_that_gives_up_while_it_waits_leaves_its_place_to_others() {
    InputRoom.Place first = room.place(90);
    InputRoom.Place large = room.place(90);
    InputRoom.Place small = room.place(5);

    large.close();

    assertThat(small.granted()).isDone();
    first.close();
    assertThat(room.place(95).granted()).isDone();
  }
}
