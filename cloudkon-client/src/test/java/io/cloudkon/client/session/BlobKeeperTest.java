package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BlobKeeperTest {
  private static final String RUN = "r";
  private static final Duration SOON = Duration.ofMillis(2);

  /** What a bucket's lifecycle rule allows. */
  private static final Duration LIFETIME = Duration.ofDays(15);

  private static final RunOptions OPTIONS =
      new RunOptions(
          RUN,
          Consistency.EXACTLY_ONCE,
          1024,
          2,
          0,
          0,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT);

  private final ManualTime time = new ManualTime();
  private final BlobStore store = new MemoryCloud(time).setup("Q").blobs();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  private BlobKeeper keeper(boolean used) {
    RunBlobs blobs = new RunBlobs(counted(), OPTIONS, Journal.none(), used);
    return new BlobKeeper(blobs, RUN, time, SOON, true);
  }

  private BlobStore counted() {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, arguments) -> {
              looks.incrementAndGet();
              RuntimeException planted = failure.get();
              if (planted != null) {
                throw planted;
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** How many of the run's objects a lifecycle rule would remove now. */
  private int expired() {
    return store.renew(BlobKeys.run(RUN), time.serviceMillis() - LIFETIME.toMillis());
  }

  @Test
  void what_a_run_of_forty_days_has_stored_is_there_to_its_end() throws Exception {
    store.put(BlobKeys.in(RUN, "a"), new byte[10]);
    try (BlobKeeper keeper = keeper(true)) {
      assertThat(keeper).isNotNull();
      for (int day = 4; day <= 40; day += 4) {
        time.advance(Duration.ofDays(4));
        int before = looks.get();
        // The look that was under way may have begun before.
        await().until(() -> looks.get() > before + 1);
        assertThat(expired()).as("on day %d", day).isZero();
      }
    }
  }

  @Test
  void run_that_is_resumed_after_thirteen_days_is_renewed_at_once() throws Exception {
    store.put(BlobKeys.in(RUN, "a"), new byte[10]);
    time.advance(Duration.ofDays(13));
    try (BlobKeeper keeper = keeper(true)) {
      assertThat(keeper).isNotNull();
      await().until(() -> looks.get() > 1);
    }

    time.advance(Duration.ofDays(13));
    assertThat(expired()).isZero();
  }

  @Test
  void run_that_keeps_nothing_there_makes_no_call() throws Exception {
    try (BlobKeeper keeper = keeper(false)) {
      keeper.close();
    }

    assertThat(looks).hasValue(0);
  }

  @Test
  void call_that_fails_in_passing_is_made_again() throws Exception {
    isMadeAgainAfter(new TransientServiceException("HTTP 503", null));
  }

  @Test
  void call_that_is_refused_is_made_again_as_the_policy_may_be_mended() throws Exception {
    isMadeAgainAfter(new RefusedException("s3:ListBucket", "bucket", "b", "HTTP 403", null));
  }

  private void isMadeAgainAfter(RuntimeException planted) throws Exception {
    store.put(BlobKeys.in(RUN, "a"), new byte[10]);
    time.advance(Duration.ofDays(13));
    failure.set(planted);
    try (BlobKeeper keeper = keeper(true)) {
      assertThat(keeper).isNotNull();
      await().until(() -> looks.get() > 1);
      failure.set(null);
      int before = looks.get();
      await().until(() -> looks.get() > before + 1);
    }

    time.advance(Duration.ofDays(13));
    assertThat(expired()).isZero();
  }
}
