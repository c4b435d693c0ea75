package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LastStoredTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger lists = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger unseen = new AtomicInteger();
  private final List<String> taken = new ArrayList<>();

  static Stream<RuntimeException> failures() {
    return Stream.of(
        new RefusedException("s3:ListBucket", "bucket", "b", "HTTP 403", null),
        new TransientServiceException("no answer", null),
        new CloudKonException("s3.ListObjectsV2 was refused: HTTP 407"));
  }

  private void take(boolean certain, Supplier<Set<String>> bundles, Predicate<String> read)
      throws InterruptedException {
    new LastStored(
            () -> certain, () -> false, unseen::incrementAndGet, bundles, read, time, millis -> {})
        .take();
  }

  /** Fails so often, each time after 20 s. */
  private void failing(AtomicInteger calls, int failures, RuntimeException why) {
    time.advanceMillis(20_000);
    if (calls.incrementAndGet() <= failures) {
      throw why;
    }
  }

  private Supplier<Set<String>> listing(int failures, RuntimeException why) {
    return () -> {
      failing(lists, failures, why);
      return new TreeSet<>(Set.of("b1", "b2"));
    };
  }

  private Predicate<String> reading(int failures, RuntimeException why) {
    return bundle -> {
      failing(reads, failures, why);
      return taken.add(bundle);
    };
  }

  @ParameterizedTest
  @MethodSource("failures")
  void store_that_is_not_known_to_hold_results_is_asked_once(RuntimeException why)
      throws Exception {
    take(false, listing(10, why), reading(0, why));

    assertThat(lists).hasValue(1);
    assertThat(reads).hasValue(0);
    assertThat(unseen).as("what lies there must not be removed").hasValue(1);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void store_that_holds_results_is_listed_once_it_works_again(RuntimeException why)
      throws Exception {
    take(true, listing(2, why), reading(0, why));

    assertThat(lists).hasValue(3);
    assertThat(taken).containsExactly("b1", "b2");
    assertThat(unseen).hasValue(0);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void store_that_holds_results_and_cannot_be_listed_is_told(RuntimeException why) {
    assertThatThrownBy(() -> take(true, listing(10, why), reading(0, why))).isSameAs(why);

    assertThat(lists).hasValue(3);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void results_that_a_listing_has_shown_and_that_cannot_be_read_are_told(RuntimeException why) {
    assertThatThrownBy(() -> take(false, listing(0, why), reading(10, why))).isSameAs(why);

    assertThat(reads).hasValue(3);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void patience_counts_from_the_last_progress(RuntimeException why) throws Exception {
    Predicate<String> eachFailsTwice =
        bundle -> {
          time.advanceMillis(20_000);
          if (reads.incrementAndGet() % 3 != 0) {
            throw why;
          }
          return taken.add(bundle);
        };

    take(false, listing(0, why), eachFailsTwice);

    assertThat(taken).containsExactly("b1", "b2");
  }

  @Test
  void results_whose_files_another_thread_fetches_are_waited_for() throws Exception {
    take(false, () -> Set.of("b1"), reading(10, new ArrivingFiles.UnderWayException("b1")));

    assertThat(taken).containsExactly("b1");
  }

  @Test
  void nothing_is_read_once_the_lease_is_lost() throws Exception {
    take(false, () -> new TreeSet<>(Set.of("b1", "b2")), bundle -> reads.incrementAndGet() == 0);

    assertThat(reads).hasValue(1);
  }
}
