package io.cloudkon.provisioner.decide;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.provisioner.record.DecisionBook;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out decisions: it writes the intent, calls the launcher with the decision's token, and
 * writes the answer. If this process dies after any of these steps, the next holder of the lease
 * finds the intent and makes exactly the same call. Used by one thread at a time.
 */
final class Launching {
  private static final Logger LOG = LoggerFactory.getLogger(Launching.class);

  private final String cluster;
  private final String holder;
  private final DecisionBook book;
  private final InstanceLauncher launcher;
  private final TimeSource time;
  private final RandomGenerator random;
  private final BooleanSupplier valid;
  private final Endings endings;

  /** The outcome of the instances of the last failed launch; empty if none failed. */
  private String trouble = "";

  /**
   * An instance that has carried out nothing yet.
   *
   * @param valid whether the lease is valid; called before each effect
   */
  Launching(
      String cluster,
      String holder,
      DecisionBook book,
      InstanceLauncher launcher,
      TimeSource time,
      RandomGenerator random,
      BooleanSupplier valid) {
    this.cluster = cluster;
    this.holder = holder;
    this.book = book;
    this.launcher = launcher;
    this.time = time;
    this.random = random;
    this.valid = valid;
    this.endings = new Endings(launcher, time);
  }

  /**
   * Writes a decision, unless another provisioner now has the lease.
   *
   * @return whether the decision is to be carried out
   */
  boolean intend(FleetPlan plan) {
    long now = time.serviceMillis();
    Decision decision =
        new Decision(
            book.next(),
            holder,
            now,
            plan.launch(),
            token(book.next()),
            plan.fleet().reason(),
            plan.seen(),
            launcher.request(),
            Decision.State.INTENDED,
            List.of(),
            "",
            now);
    return valid.getAsBoolean() && book.intend(decision);
  }

  /** The token of a decision: at most 64 ASCII characters, all permitted in a file name. */
  private String token(long number) {
    byte[] salt = new byte[4];
    random.nextBytes(salt);
    return "%s-%d-%s".formatted(cluster, number, HexFormat.of().formatHex(salt));
  }

  /**
   * Makes the call of a decision, for the first time or again, and writes the outcome. If the lease
   * is over by then, the next holder repeats the call.
   */
  Launch carryOut(Decision intended) {
    Launch launch = launcher.launch(intended.token(), intended.count(), intended.request());
    List<String> granted = launch.instances().stream().map(LaunchedInstance::id).toList();
    String why =
        launch.failures().stream()
            .map(failure -> failure.code() + ": " + failure.message())
            .distinct()
            .collect(Collectors.joining("; "));
    Decision launched = intended.launched(granted, why, time.serviceMillis());
    if (valid.getAsBoolean()) {
      book.update(launched);
    } else {
      book.outdated();
    }
    tell(launched);
    return launch;
  }

  private static void tell(Decision decision) {
    int granted = decision.instances().size();
    if (granted > 0) {
      System.err.printf(
          "cloudkon provisioner: launched %d worker%s (%s): %s%n",
          granted, granted == 1 ? "" : "s", decision.token(), Printable.line(decision.reason()));
    }
    if (granted < decision.count()) {
      LOG.warn(
          "{} of {} workers were not launched ({}): {}",
          decision.count() - granted,
          decision.count(),
          decision.token(),
          decision.error());
    }
  }

  /** The tokens of open decisions that only the launcher of another machine can carry out. */
  Set<String> foreign() {
    return book.open().stream()
        .filter(decision -> !launcher.serves(decision.request()))
        .map(Decision::token)
        .collect(Collectors.toSet());
  }

  /**
   * Adds the launcher's information about failed launches to the plan, so that status and explain,
   * which do not show the provisioner's own output, can display it.
   */
  FleetPlan explained(FleetPlan plan) {
    List<Decision> closed = plan.closed().stream().map(this::explained).toList();
    trouble = plan.failing() ? trouble : "";
    return plan.with(
        trouble.isEmpty()
            ? plan.fleet()
            : plan.fleet().withReason("%s; %s".formatted(plan.fleet().reason(), trouble)),
        closed);
  }

  /** Explains a closed decision by the outcome of one of its instances. */
  private Decision explained(Decision closed) {
    Decision before =
        book.open().stream()
            .filter(one -> one.number() == closed.number())
            .findFirst()
            .orElse(closed);
    if (closed.instances().isEmpty() || closed.error().equals(before.error())) {
      return closed;
    }
    String first = closed.instances().getFirst();
    String known = launcher.explanation(first);
    if (known.isEmpty()) {
      return closed;
    }
    trouble = "%s failed: %s".formatted(first, known);
    return closed.closed("%s; %s".formatted(closed.error(), trouble), closed.updatedMillis());
  }

  /**
   * Withdraws decisions that are too old or for which there is no room or need, ends instances, and
   * closes the decisions of which nothing boots any more. A decision whose instances could not be
   * ended stays open; otherwise they would be forgotten.
   */
  void settle(FleetPlan plan) {
    for (Decision decision : plan.withdraw()) {
      if (valid.getAsBoolean() && launcher.withdraw(decision.token())) {
        LOG.warn(
            "launch {} is withdrawn: it is too old, or there is no room or need for it now",
            decision.token());
        book.update(
            decision.closed(
                "withdrawn: it was too old, or there was no room, or no need, any longer",
                time.serviceMillis()));
      }
    }
    if (!valid.getAsBoolean()) {
      return;
    }
    Set<String> left = endings.end(plan.terminate());
    Map<Long, Decision> open =
        book.open().stream().collect(Collectors.toMap(Decision::number, decision -> decision));
    for (Decision closed : plan.closed()) {
      Decision known = open.get(closed.number());
      boolean gone = Collections.disjoint(closed.instances(), left);
      if (known != null && gone && valid.getAsBoolean()) {
        tellOfEnd(known, closed);
        book.update(closed);
      }
    }
  }

  private void tellOfEnd(Decision known, Decision closed) {
    if (!closed.error().equals(known.error()) && !closed.instances().isEmpty()) {
      LOG.warn("launch {}: {}", closed.token(), closed.error());
    }
  }
}
