package io.cloudkon.client.dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.dead.DeadLetter.Tasks;
import io.cloudkon.client.dead.DeadLetter.Undecodable;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.testing.Intercepted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadLetterBoxTest {
  private final Letters letters = new Letters();

  @Test
  void browse_shows_every_letter_and_leaves_all_of_them_for_others() throws Exception {
    IntStream.range(0, 25)
        .forEach(i -> letters.dies(Letters.bundle("r1", i, Letters.echo(i, "t" + i)), "because"));

    List<DeadLetter> all = letters.all();

    assertThat(all).hasSize(25).extracting(DeadLetter::reason).containsOnly("because");
    assertThat(letters.visible()).isEqualTo(25);
    assertThat(letters.all()).hasSize(25);
  }

  @Test
  void letters_stay_hidden_until_all_are_read() {
    assertThat(DeadLetterBox.look(0)).hasSeconds(30);
    assertThat(DeadLetterBox.look(20_000)).hasSeconds(230);
    assertThat(DeadLetterBox.look(10_000_000)).hasMinutes(15);
  }

  @Test
  void copies_of_one_message_are_one_letter() throws Exception {
    for (int copy = 0; copy < 3; copy++) {
      letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "because");
    }

    assertThat(letters.all()).hasSize(1);
    assertThat(letters.visible()).isEqualTo(3);
  }

  @Test
  void same_tasks_given_up_in_other_words_are_one_letter() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "5 attempts");
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "6 attempts");

    assertThat(letters.all()).hasSize(1);
  }

  @Test
  void letter_tells_its_run_bundle_reason_and_tasks() throws Exception {
    letters.dies(Letters.bundle("r1", 7, Letters.echo(70, "a"), Letters.echo(72, "b")), "because");

    DeadLetter letter = letters.all().getFirst();

    assertThat(letter.run()).isEqualTo("r1");
    assertThat(letter.bundle()).isEqualTo("r1/e/7");
    assertThat(letter.responseQueue()).isEqualTo("Q-response-c");
    assertThat(letter.contents())
        .isInstanceOfSatisfying(
            Tasks.class,
            tasks -> assertThat(tasks.bundle().tasks()).extracting("id").containsExactly("a", "b"));
  }

  @Test
  void what_is_no_bundle_is_kept_as_it_came() throws Exception {
    letters.diesUnread("garbage", "cannot be read");

    assertThat(letters.all().getFirst().contents())
        .isInstanceOfSatisfying(
            Undecodable.class, what -> assertThat(what.payload()).asString().isEqualTo("garbage"));
  }

  @Test
  void find_takes_the_beginning_of_an_id() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "one");
    letters.dies(Letters.bundle("r1", 1, Letters.echo(1, "b")), "two");
    DeadLetter second =
        letters.all().stream().filter(l -> l.reason().equals("two")).findFirst().orElseThrow();

    assertThat(letters.box.find(second.shortId()).reason()).isEqualTo("two");
  }

  @Test
  void unknown_or_ambiguous_ids_are_refused() {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "one");
    letters.dies(Letters.bundle("r1", 1, Letters.echo(1, "b")), "two");

    assertThatThrownBy(() -> letters.box.find("xyz"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no dead letter 'xyz'")
        .hasMessageContaining("cloudkon dead list -s Q");
    assertThatThrownBy(() -> letters.box.find(""))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("more than one");
    assertThat(letters.visible()).isEqualTo(2);
  }

  @Test
  void what_was_received_is_put_back_when_looking_fails() {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "one");

    assertThatThrownBy(() ->
            letters.box.browse(letter -> {
              throw new IllegalStateException("full disk");
            }))
        .hasMessage("full disk");
    assertThat(letters.visible()).isEqualTo(1);
  }

  @Test
  void letters_are_put_back_ten_in_a_call() throws Exception {
    letters.die(25);

    assertThat(letters.all()).hasSize(25);

    assertThat(letters.visible()).isEqualTo(25);
    assertThat(letters.calls("changeVisibilities")).isEqualTo(3);
    assertThat(letters.calls("changeVisibility")).isZero();
  }

  @Test
  void some_letters_are_read_with_as_few_receives() throws Exception {
    letters.die(25);

    assertThat(letters.box.browseSome(10, letter -> {})).isEqualTo(10);

    assertThat(letters.calls("receive")).isEqualTo(1);
    assertThat(letters.visible()).isEqualTo(25);
  }

  @Test
  void end_of_the_process_stops_the_reading_and_waits_until_the_letters_are_put_back()
      throws Exception {
    letters.die(25);
    AtomicLong visible = new AtomicLong();
    LetterReading reading = LetterReading.begin();
    Thread end =
        Thread.ofVirtual()
            .unstarted(() -> {
              reading.stop();
              visible.set(letters.visible());
            });

    assertThatThrownBy(() ->
            letters.box.browse(
                reading,
                25,
                Integer.MAX_VALUE,
                letter -> {
                  if (end.getState() == Thread.State.NEW) {
                    end.start();
                    await().until(reading::stopped);
                  }
                }))
        .isInstanceOf(InterruptedException.class);
    reading.close();
    end.join();

    assertThat(letters.calls("receive")).isEqualTo(1);
    assertThat(visible).hasValue(25);
  }

  @Test
  void letter_that_another_program_may_be_reading_is_not_said_to_be_missing() throws Exception {
    letters.die(3);
    letters.readByAnother(2);

    assertThatThrownBy(() -> letters.box.find("xyz"))
        .isInstanceOfSatisfying(
            LettersInUseException.class, e -> assertThat(e.exitCode()).isEqualTo(3))
        .hasMessage(
            "2 dead letters of queue Q-dead could not be read: another program may be reading them,"
                + " or they were just removed; try again in 30 s");
    assertThat(letters.visible()).isEqualTo(1);
  }

  /** One in twenty counted as none. */
  @Test
  void even_one_of_many_letters_that_may_be_read_by_another_counts() throws Exception {
    letters.die(20);
    letters.readByAnother(1);

    assertThatThrownBy(() -> letters.box.find("xyz"))
        .isInstanceOf(LettersInUseException.class)
        .hasMessageStartingWith(
            "1 dead letter of queue Q-dead could not be read: another program may be reading it,"
                + " or it was just removed;");
  }

  /** SQS's number is approximate, and lags behind. */
  @Test
  void number_of_letters_is_asked_for_again_before_some_are_said_to_be_in_use() throws Exception {
    letters.die(2);
    AtomicLong asked = new AtomicLong();
    RequestQueue lagging =
        Intercepted.dead(
                letters.cluster,
                (method, arguments, call) ->
                    method.equals("depth") && asked.getAndIncrement() == 0
                        ? new QueueDepth(5, 0, 0)
                        : call.make())
            .dead();
    DeadLetterBox box = new DeadLetterBox(lagging, letters.time, Duration.ZERO);

    assertThatThrownBy(() -> box.find("xyz"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no dead letter 'xyz'");
    assertThat(asked).hasValue(2);
  }
}
