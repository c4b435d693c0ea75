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
 * credentials does, or continues with the last ones while they are valid. Thread safe.
 */
final class PatientCredentials implements AwsCredentialsProvider {
  /** Less than the limit of a call, which is 10 s. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The same while the last credentials are valid, so that no call waits for long. */
  private static final Duration BRIEF_PATIENCE = Duration.ofMillis(500);

  /** How long credentials are used without another request; the provider has a cache of its own. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final AwsCredentialsProvider source;
  private final Duration patience;
  private final Duration fresh;
  private final AtomicReference<@Nullable FutureTask<AwsCredentials>> underWay =
      new AtomicReference<>();
  private volatile @Nullable Known known;

  private record Known(AwsCredentials credentials, long nanos) {
    boolean valid() {
      return credentials.expirationTime().map(Instant.now()::isBefore).orElse(true);
    }
  }

  PatientCredentials(AwsCredentialsProvider source) {
    this(source, PATIENCE, FRESH);
  }

  PatientCredentials(AwsCredentialsProvider source, Duration patience, Duration fresh) {
    this.source = source;
    this.patience = patience;
    this.fresh = fresh;
  }

  @Override
  public AwsCredentials resolveCredentials() {
    Known last = known;
    if (last != null && System.nanoTime() - last.nanos() < fresh.toNanos() && last.valid()) {
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
