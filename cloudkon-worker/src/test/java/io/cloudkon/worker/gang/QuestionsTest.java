package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuestionsTest {
  private final Questions<String> patient = new Questions<>("question", 60_000);
  private final Questions<String> hasty = new Questions<>("question", 20);

  @Test
  void each_question_has_its_own_answer() throws Exception {
    AtomicLong first = new AtomicLong();
    AtomicLong second = new AtomicLong();
    CompletableFuture<String> one = CompletableFuture.supplyAsync(() -> patient.ask(first::set));
    CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> patient.ask(second::set));
    await().until(() -> first.get() != 0 && second.get() != 0);

    patient.answer(second.get(), "to the second");
    patient.answer(first.get(), "to the first");

    assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo("to the first");
    assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("to the second");
    assertThat(patient.waiting()).isZero();
  }

  @Test
  void answer_may_come_before_its_question_is_waited_for() {
    assertThat(patient.ask(number -> patient.answer(number, "at once"))).isEqualTo("at once");
  }

  @Test
  void loop_that_is_slow_gives_no_answer_and_none_is_made_up() {
    AtomicLong number = new AtomicLong();

    assertThatThrownBy(() -> hasty.ask(number::set))
        .isInstanceOfSatisfying(
            HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT))
        .hasMessage("question: this worker's loop had no answer within 20 ms");

    hasty.answer(number.get(), "too late");
    assertThat(hasty.waiting()).isZero();
  }

  @Test
  void interrupt_ends_the_wait_and_stays() throws Exception {
    AtomicLong number = new AtomicLong();
    FutureTask<Boolean> asking =
        new FutureTask<>(() -> {
          assertThatThrownBy(() -> patient.ask(number::set))
              .isInstanceOfSatisfying(
                  HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED));
          return Thread.currentThread().isInterrupted();
        });
    Thread asker = Thread.ofVirtual().start(asking);
    await().until(() -> number.get() != 0);

    asker.interrupt();

    assertThat(asking.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(patient.waiting()).isZero();
  }
}
