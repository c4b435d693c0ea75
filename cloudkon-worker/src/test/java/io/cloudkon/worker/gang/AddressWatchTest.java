package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

class AddressWatchTest {
  private boolean here = true;
  private long looks;

  private final AddressWatch watch =
      new AddressWatch(
          "10.0.0.1",
          address -> {
            looks++;
            return here;
          });

  private boolean losesAt(long seconds) {
    return watch.loses(new Moment(1_000 * seconds, 0));
  }

  @Test
  void address_that_stays_is_looked_for_every_five_seconds() {
    for (int second = 0; second < 100; second++) {
      assertThat(losesAt(second)).isFalse();
    }
    assertThat(looks).isEqualTo(20);
  }

  @Test
  void address_that_is_missed_three_times_in_a_row_is_lost_once() {
    here = false;
    assertThat(losesAt(0)).isFalse();
    assertThat(losesAt(5)).isFalse();
    here = true;
    assertThat(losesAt(10)).isFalse();
    here = false;
    assertThat(losesAt(15)).isFalse();
    assertThat(losesAt(20)).isFalse();
    assertThat(losesAt(25)).isTrue();
    assertThat(losesAt(30)).isFalse();
  }
}
