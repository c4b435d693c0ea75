package io.cloudkon.simulator.cloud;

import static io.cloudkon.simulator.cloud.Lab.HOUR;
import static io.cloudkon.simulator.cloud.Lab.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two queues whose messages stand in one line. */
class LineTest {
  private static final class Two {
    final Lab lab;
    final SimQueue<String> first;
    final SimQueue<String> behind;

    Two(int disorder) {
      lab = new Lab(Lab.instant().withDisorder(disorder), 1);
      first = lab.queue();
      behind = lab.queue();
      behind.standInLineOf(first);
    }

    List<String> reached() {
      return lab.receive(behind).stream().map(Delivery::body).toList();
    }
  }

  private final Two inOrder = new Two(1);

  @Test
  void message_is_received_once_those_before_it_are_and_not_sooner() {
    inOrder.lab.send(inOrder.first, "a", "b").await();
    inOrder.lab.send(inOrder.behind, "x", "y").await();
    inOrder.lab.send(inOrder.first, "c").await();
    inOrder.lab.send(inOrder.behind, "z").await();

    assertThat(inOrder.reached()).isEmpty();
    Delivery<String> a = inOrder.lab.receiveOne(inOrder.first, HOUR);
    assertThat(inOrder.reached()).isEmpty();
    Delivery<String> b = inOrder.lab.receiveOne(inOrder.first, HOUR);

    assertThat(List.of(a.body(), b.body())).containsExactly("a", "b");
    assertThat(inOrder.reached()).containsExactly("x", "y");
    assertThat(inOrder.behind.waiting()).isEqualTo(1);
    assertThat(inOrder.behind.empty()).isFalse();
    assertThat(inOrder.lab.receiveOne(inOrder.first, HOUR).body()).isEqualTo("c");
    assertThat(inOrder.reached()).containsExactly("z");
  }

  @Test
  void message_with_nothing_before_it_is_received_at_once() {
    inOrder.lab.send(inOrder.first, "a").await();
    Delivery<String> unused = inOrder.lab.receiveOne(inOrder.first, HOUR);
    inOrder.lab.send(inOrder.behind, "x").await();

    assertThat(inOrder.reached()).containsExactly("x");
  }

  @Test
  void what_is_put_back_goes_to_the_end_on_either_side() {
    inOrder.lab.send(inOrder.first, "a").await();
    Delivery<String> a = inOrder.lab.receiveOne(inOrder.first, HOUR);
    inOrder.lab.send(inOrder.behind, "x").await();
    assertThat(inOrder.lab.hide(inOrder.first, a, 0)).isTrue();

    Delivery<String> x = inOrder.lab.receiveOne(inOrder.behind, HOUR);
    assertThat(inOrder.lab.hide(inOrder.behind, x, 0)).isTrue();
    assertThat(inOrder.reached()).as("behind a by now").isEmpty();

    assertThat(inOrder.lab.receiveOne(inOrder.first, HOUR).receives()).isEqualTo(2);
    assertThat(inOrder.reached()).containsExactly("x");
  }

  @Test
  void long_poll_is_served_as_soon_as_the_last_one_before_is_received() {
    inOrder.lab.send(inOrder.first, "a").await();
    inOrder.lab.send(inOrder.behind, "x").await();
    Lab.Awaited<List<Delivery<String>>> poll =
        inOrder.lab.receive(inOrder.behind, 1, 20 * SECOND, HOUR);
    inOrder.lab.pass(SECOND);
    assertThat(poll.there()).isFalse();

    Delivery<String> unused = inOrder.lab.receiveOne(inOrder.first, HOUR);
    inOrder.lab.settle();

    assertThat(poll.there()).isTrue();
    assertThat(poll.at()).isLessThan(2 * SECOND);
  }

  @Test
  void with_disorder_as_many_may_be_before_it_as_a_receive_picks_among() {
    Two roughly = new Two(4);
    IntStream.range(0, 4)
        .forEach(i -> roughly.lab.send(roughly.first, Integer.toString(i)).await());
    roughly.lab.send(roughly.behind, "x").await();

    assertThat(roughly.reached()).isEmpty();
    Delivery<String> unused = roughly.lab.receiveOne(roughly.first, HOUR);
    assertThat(roughly.reached()).containsExactly("x");
  }
}
