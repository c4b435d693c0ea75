package io.cloudkon.core.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Credentials of another provider, requested on a thread of their own. When a call takes too long,
 * the SDK interrupts its thread. A provider that calls STS on that thread takes this for an
 * interrupt by the program and passes it on, so that a slow refresh would end threads that nobody
 * wanted to end. Here a call waits for a part of its time only, and then fails as one without
 * credentials does, or continues with the last ones while they are valid. Calls that follow each
 * other within a minute do not wait at all. Thread safe.
 */
final class PatientCredentials implements AwsCredentialsProvider {
  /** Less than the limit of a call, which is 10 s. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The same while the last credentials are valid, so that no call waits for long. */
  private static final Duration BRIEF_PATIENCE = Duration.ofMillis(500);

  /** How long credentials are used without another request; the provider has a cache of its own. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  /**
   * How long credentials are used while the next request is under way. After a longer rest, in
   * which keys may have been replaced, a call waits for it.
   */
  private static final Duration RECENT = Duration.ofMinutes(1);

  /** Credentials that expire earlier than this are used only if a request has failed. */
  private static final Duration ENDING = Duration.ofMinutes(1);

  private final AwsCredentialsProvider source;
  private final Duration patience;
  private final Duration fresh;
  private final Duration recent;
  private final AtomicReference<@Nullable FutureTask<AwsCredentials>> underWay =
      new AtomicReference<>();
  private volatile @Nullable Known known;

  private record Known(AwsCredentials credentials, long nanos) {
    boolean valid() {
      return validFor(Duration.ZERO);
    }

    boolean validFor(Duration time) {
      Instant then = Instant.now().plus(time);
      return credentials.expirationTime().map(then::isBefore).orElse(true);
    }

    boolean youngerThan(Duration age) {
      return System.nanoTime() - nanos < age.toNanos();
    }
  }

  PatientCredentials(AwsCredentialsProvider source) {
    this(source, PATIENCE, FRESH, RECENT);
  }

  PatientCredentials(
      AwsCredentialsProvider source, Duration patience, Duration fresh, Duration recent) {
    this.source = source;
    this.patience = patience;
    this.fresh = fresh;
    this.recent = recent;
  }

  @Override
  public AwsCredentials resolveCredentials() {
    Known last = known;
    if (last != null && last.youngerThan(fresh) && last.valid()) {
      return last.credentials();
    }
    if (last != null && last.youngerThan(recent) && last.validFor(ENDING)) {
      var unused = request();
      return last.credentials();
    }
    Duration wait = last != null && last.valid() ? BRIEF_PATIENCE : patience;
    try {
      return request().get(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("interrupted while waiting for credentials", e);
    } catch (TimeoutException e) {
      return orLast(last, "no answer within %d s".formatted(wait.toSeconds()), e);
    } catch (ExecutionException e) {
      return orLast(last, String.valueOf(e.getCause()), e.getCause());
    }
  }

  /** The request that is under way, or a new one. */
  private FutureTask<AwsCredentials> request() {
    FutureTask<AwsCredentials> other = underWay.get();
    if (other != null) {
      return other;
    }
    FutureTask<AwsCredentials> mine = new FutureTask<>(this::resolve);
    FutureTask<AwsCredentials> first = underWay.compareAndExchange(null, mine);
    if (first != null) {
      return first;
    }
    var unused = Thread.ofVirtual().name("cloudkon-credentials").start(mine);
    return mine;
  }

  private AwsCredentials resolve() {
    try {
      AwsCredentials found = source.resolveCredentials();
      known = new Known(found, System.nanoTime());
      return found;
    } finally {
      underWay.set(null);
    }
  }

  private static AwsCredentials orLast(@Nullable Known last, String why, @Nullable Throwable e) {
    if (last != null && last.valid()) {
      return last.credentials();
    }
    throw e instanceof SdkClientException known
        ? known
        : SdkClientException.create("Unable to load credentials: " + why, e);
  }
}
