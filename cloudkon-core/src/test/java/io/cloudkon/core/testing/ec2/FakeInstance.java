package io.cloudkon.core.testing.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import java.time.Instant;
import java.util.Map;

/**
 * An instance of {@link FakeEc2}. Guarded by that one.
 *
 * <p>Its states follow the clock: pending until it has booted, then running until it is ended.
 */
public final class FakeInstance {
  private final String id;
  private final Pool pool;
  private final Purchase purchase;
  private final Map<String, String> tags;
  private final long launchedMillis;
  private final long runningFrom;
  private final long listedFrom;
  private long endedMillis = Long.MAX_VALUE;

  FakeInstance(
      String id,
      Pool pool,
      Purchase purchase,
      Map<String, String> tags,
      long launchedMillis,
      long bootMillis,
      long unlistedMillis) {
    this.id = id;
    this.pool = pool;
    this.purchase = purchase;
    this.tags = Map.copyOf(tags);
    this.launchedMillis = launchedMillis;
    this.runningFrom = launchedMillis + bootMillis;
    this.listedFrom = launchedMillis + unlistedMillis;
  }

  /** Its id, such as {@code i-00000001}. */
  public String id() {
    return id;
  }

  /** Where it came from. */
  public Pool pool() {
    return pool;
  }

  /** How it is paid for. */
  public Purchase purchase() {
    return purchase;
  }

  /** As they were given at launch. */
  public Map<String, String> tags() {
    return tags;
  }

  /** Whether nobody has ended it yet. */
  public boolean exists() {
    return endedMillis == Long.MAX_VALUE;
  }

  void end(long now) {
    endedMillis = Math.min(endedMillis, now);
  }

  boolean listed(long now) {
    return now >= listedFrom;
  }

  String state(long now, long endingMillis) {
    if (!exists()) {
      return now < endedMillis + endingMillis ? "shutting-down" : "terminated";
    }
    return now < runningFrom ? "pending" : "running";
  }

  Xml xml(Xml out, long now, long endingMillis) {
    out.put("instanceId", id)
        .put("instanceType", pool.type())
        .in("instanceState", () -> out.put("name", state(now, endingMillis)))
        .put("launchTime", Instant.ofEpochMilli(launchedMillis));
    if (purchase == Purchase.SPOT) {
      out.put("instanceLifecycle", "spot");
    }
    if (!exists()) {
      out.in(
          "stateReason",
          () ->
              out.put("code", "Client.UserInitiatedShutdown")
                  .put("message", "Client.UserInitiatedShutdown: User initiated shutdown"));
    }
    return out.in(
        "tagSet",
        () ->
            tags.forEach(
                (key, value) -> out.in("item", () -> out.put("key", key).put("value", value))));
  }
}
