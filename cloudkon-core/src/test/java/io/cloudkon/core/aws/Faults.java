package io.cloudkon.core.aws;

import io.cloudkon.core.error.UsageException;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Faults of the cloud, made on purpose and by seed. {@link FaultsOfEnvironment} puts them around
 * the calls of a process whose class path has it, as the environment variable {@value #VARIABLE}
 * says: a list of {@code key=value} separated by commas:
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><td>{@code seed=7}</td><td>of the dice; default 1</td></tr>
 * <tr><td>{@code fail=0.05}</td><td>this share fails unsent: connection refused or 503</td></tr>
 * <tr><td>{@code throttle=0.05}</td><td>this share is refused as throttled</td></tr>
 * <tr><td>{@code lose=0.02}</td><td>this share has its effect, and its answer is lost</td></tr>
 * <tr><td>{@code delay=20ms}</td><td>each attempt waits up to this long before it is sent</td></tr>
 * <tr><td>{@code only=sqs.SendMessageBatch}</td><td>these only; repeatable</td></tr>
 * <tr><td>{@code outage=sqs@10s+20s}</td><td>from 10 s on, for 20 s; repeatable</td></tr>
 * <tr><td>{@code halt=after:dynamodb.UpdateItem:decision/}</td><td>the process ends, as by SIGKILL,
 * {@code before} it sends the first such request, or {@code after} it has had its answer; the text
 * behind the operation is one that the request's body holds, and may be left out</td></tr>
 * </table>
 *
 * <p>Thread safe. The dice are thrown in the order in which calls come, so a run repeats exactly
 * only if its calls do.
 */
public final class Faults implements HttpDecorator {
  /** The environment variable. */
  public static final String VARIABLE = "CLOUDKON_FAULTS";

  private final SplittableRandom dice;
  private final FaultSettings settings;
  private final long startNanos = System.nanoTime();
  private final Set<String> down = ConcurrentHashMap.newKeySet();

  private Faults(FaultSettings settings) {
    this.settings = settings;
    this.dice = new SplittableRandom(settings.seed());
  }

  /** None but by {@link #takeDown}. */
  public static Faults onDemand() {
    return new Faults(FaultSettings.NONE);
  }

  /**
   * Those of a list as above.
   *
   * @throws UsageException if it is malformed
   */
  public static Faults parse(String text) {
    return new Faults(FaultSettings.parse(text));
  }

  /**
   * From now on everything of this service ("sqs", "dynamodb", "s3", "ec2") fails, until {@link
   * #bringUp}.
   */
  public void takeDown(String service) {
    down.add(service);
  }

  /** Ends {@link #takeDown}. */
  public void bringUp(String service) {
    down.remove(service);
  }

  /** A client that misbehaves accordingly. */
  @Override
  public SdkHttpClient around(SdkHttpClient client) {
    return new FaultInjectingHttpClient(client, this);
  }

  /** What is to happen to one attempt. */
  enum Fate {
    REACH,
    REFUSED_CONNECTION,
    UNAVAILABLE,
    THROTTLED,
    LOST_ANSWER
  }

  Fate decide(String service, String operation) {
    if (down.contains(service) || settings.down(service, sinceStart())) {
      return dice() < 0.5 ? Fate.REFUSED_CONNECTION : Fate.UNAVAILABLE;
    }
    if (settings.harmless() || !settings.concerns(service, operation)) {
      return Fate.REACH;
    }
    double thrown = dice();
    if (thrown < settings.fail()) {
      return thrown < settings.fail() / 2 ? Fate.REFUSED_CONNECTION : Fate.UNAVAILABLE;
    }
    if (thrown < settings.fail() + settings.throttle()) {
      return Fate.THROTTLED;
    }
    return thrown < settings.fail() + settings.throttle() + settings.lose()
        ? Fate.LOST_ANSWER
        : Fate.REACH;
  }

  /** Whether the process is to end at this moment of a request. */
  boolean halts(Halt.When when, CalledOperation operation, Supplier<String> body) {
    Halt halt = settings.halt();
    return halt != null && halt.concerns(when, operation, body);
  }

  Duration delay(String service, String operation) {
    return settings.delay().isZero() || !settings.concerns(service, operation)
        ? Duration.ZERO
        : Duration.ofNanos((long) (dice() * settings.delay().toNanos()));
  }

  private Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private synchronized double dice() {
    return dice.nextDouble();
  }
}
