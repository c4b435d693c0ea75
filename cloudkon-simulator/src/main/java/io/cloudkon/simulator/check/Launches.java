package io.cloudkon.simulator.check;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.protocol.provisioning.ProvisioningMachine;
import io.cloudkon.simulator.cloud.LaunchWatch;
import io.cloudkon.simulator.cloud.SimScaling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks what a launcher is asked for: each launch was recorded as an intent before, with the same
 * parameters, and the fleet never exceeds its maximum number of instances.
 */
public final class Launches implements LaunchWatch {
  /** The maximum time between the first read of an observation and the decision based on it. */
  private static final long LOOKED_MILLIS = 5_000;

  private final SimScaling cloud;
  private final int max;
  private final List<String> tokens = new ArrayList<>();
  private int most;
  private boolean strict;

  /**
   * A check that has seen nothing.
   *
   * @param max the maximum number of instances
   */
  public Launches(SimScaling cloud, int max) {
    this.cloud = cloud;
    this.max = max;
  }

  /** The maximum number of instances that existed at a time. */
  public int most() {
    return most;
  }

  /** The number of launches that took place. */
  public int count() {
    return tokens.size();
  }

  @Override
  public void launched(
      String token, int count, Map<String, String> request, InstanceLauncher.Launch launch) {
    tokens.add(token);
    intended(token, count, request);
    int granted = launch.instances().size();
    Violation.unless(
        granted <= count, "%d instances were granted to %s, not %d", granted, token, count);
    int existing = cloud.instances().existing().size();
    most = Math.max(most, existing);
    Violation.unless(
        existing <= max,
        "%d instances exist after launch %s, and %d are the most: %s",
        existing,
        token,
        max,
        cloud.instances().existing());
    Violation.unless(
        existing <= cloud.byHand().affordable(),
        "%d instances exist after launch %s, and money is there for %d",
        existing,
        token,
        cloud.byHand().affordable());
    long known = decision(token).map(Decision::atMillis).orElse(0L) - LOOKED_MILLIS;
    long byHand =
        strict
            ? cloud.byHand().live().stream()
                .filter(process -> cloud.entries().firstWritten(process.name()) < known)
                .count()
            : 0;
    Violation.unless(
        existing + byHand <= max,
        "%d instances exist after launch %s beside %d workers by hand, and %d are the most",
        existing,
        token,
        byHand,
        max);
  }

  /**
   * Counts manually started workers too. Requires that only the table itself can keep them from
   * writing their entries.
   */
  public void countWorkersByHand() {
    strict = true;
  }

  @Override
  public void again(String token, int count, Map<String, String> request) {
    intended(token, count, request);
  }

  private void intended(String token, int count, Map<String, String> request) {
    Decision decision =
        decision(token)
            .orElseThrow(() -> new Violation("launch %s was not intended before", token));
    Violation.unless(
        decision.count() == count && decision.request().equals(request),
        "launch %s of %d, %s, was intended otherwise: %s",
        token,
        count,
        request,
        decision);
  }

  private Optional<Decision> decision(String token) {
    return cloud.decisions().now().decisions(0, Long.MAX_VALUE).stream()
        .filter(decision -> decision.token().equals(token))
        .findFirst();
  }

  /**
   * Checks at the end that decisions list exactly the granted instances and that none is open. Only
   * one that was closed without an answer may not know them, if they are gone.
   */
  public void atTheEnd() {
    for (Decision decision : cloud.decisions().now().decisions(0, Long.MAX_VALUE)) {
      Violation.unless(!decision.open(), "at the end decision %s is open", decision);
      List<String> granted =
          cloud.instances().grantedTo(decision.token()).stream().map(LaunchedInstance::id).toList();
      boolean unseen =
          decision.instances().isEmpty()
              && decision.error().equals(ProvisioningMachine.NEVER_SEEN)
              && cloud.instances().existing().stream()
                  .noneMatch(one -> one.launch().equals(decision.token()));
      Violation.unless(
          unseen || decision.instances().equals(granted),
          "decision %s says %s, and %s were granted",
          decision.number(),
          decision.instances(),
          granted);
    }
  }
}
