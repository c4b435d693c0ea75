package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import io.cloudkon.hpc.rmi.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallBacksTest {
  private static final Address THERE = new Address("127.0.0.1", 4711);

  private final ManualTime time = new ManualTime();
  private final PingedWorker there = new PingedWorker();
  private final List<String> secrets = new ArrayList<>();
  private final CallBacks callBacks =
      new CallBacks(
          "me",
          (address, secret) -> {
            secrets.add(address + " " + secret);
            return there;
          },
          time::monotonicNanos);

  private boolean reaches(String gang, String worker) {
    return callBacks.reaches(
        gang, new Registration(worker, THERE, new int[] {0}, new String[] {"t"}, "own"));
  }

  @Test
  void worker_is_called_back_at_its_address_with_its_own_secret() {
    assertThat(reaches("g", "w")).isTrue();

    assertThat(secrets).containsExactly("127.0.0.1:4711 own");
    assertThat(there.pings).isEqualTo(1);
  }

  @Test
  void worker_that_was_called_a_moment_ago_is_not_called_again() {
    assertThat(reaches("g", "w")).isTrue();
    time.advance(Duration.ofMillis(9_900));
    assertThat(reaches("h", "w")).isTrue();
    assertThat(there.pings).isEqualTo(1);

    time.advance(Duration.ofMillis(100));
    assertThat(reaches("i", "w")).isTrue();
    assertThat(there.pings).isEqualTo(2);
  }

  @Test
  void worker_that_could_not_be_told_to_start_is_called_again() {
    assertThat(reaches("g", "w")).isTrue();

    callBacks.failed(THERE);

    assertThat(reaches("h", "w")).isTrue();
    assertThat(there.pings).isEqualTo(2);
  }

  @Test
  void manager_does_not_call_itself() {
    there.fails(Kind.UNREACHABLE, Kind.UNREACHABLE);

    assertThat(reaches("g", "me")).isTrue();
    assertThat(there.pings).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"TIMED_OUT", "REFUSED", "INTERRUPTED"})
  void worker_that_does_not_answer_as_itself_is_not_reached(Kind kind) {
    there.fails(kind);

    assertThat(reaches("g", "w")).isFalse();
    assertThat(there.pings).isEqualTo(1);
  }

  @Test
  void worker_of_a_former_version_answers_that_it_knows_no_such_call() {
    there.fails(Kind.FAILED);

    assertThat(reaches("g", "w")).isTrue();
  }

  @Test
  void connection_that_failed_is_tried_once_more() {
    there.fails(Kind.UNREACHABLE);
    assertThat(reaches("g", "w")).isTrue();
    assertThat(there.pings).isEqualTo(2);

    callBacks.failed(THERE);
    there.fails(Kind.UNREACHABLE, Kind.UNREACHABLE);
    assertThat(reaches("g", "w")).isFalse();
    assertThat(there.pings).isEqualTo(4);
  }
}
