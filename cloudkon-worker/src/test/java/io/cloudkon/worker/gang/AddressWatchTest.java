package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

class AddressWatchTest {
  private boolean here = true;
  private long looks;

  private AddressWatch watch = watch();

  private AddressWatch watch() {
    return new AddressWatch(
        "10.0.0.1",
        address -> {
          looks++;
          return here;
        });
  }

  private boolean losesAt(long seconds) {
    return watch.loses(new Moment(1_000 * seconds, 0));
  }

  @Test
  void address_that_stays_is_looked_for_every_five_seconds() {
    for (int second = 0; second < 100; second++) {
      assertThat(losesAt(second)).isFalse();
    }
    assertThat(looks).isEqualTo(21);
  }

  @Test
  void address_that_is_missed_for_half_a_minute_is_lost_once() {
    here = false;
    for (int second = 5; second < 30; second += 5) {
      assertThat(losesAt(second)).isFalse();
    }
    here = true;
    assertThat(losesAt(30)).isFalse();
    here = false;
    for (int second = 35; second < 60; second += 5) {
      assertThat(losesAt(second)).isFalse();
    }
    assertThat(losesAt(60)).isTrue();
    assertThat(losesAt(65)).isFalse();
  }

  /** A machine can listen on addresses that none of its interfaces shows. */
  @Test
  void address_that_was_never_seen_is_not_missed() {
    here = false;
    watch = watch();
    for (int second = 0; second < 100; second++) {
      assertThat(losesAt(second)).isFalse();
    }
  }
}
