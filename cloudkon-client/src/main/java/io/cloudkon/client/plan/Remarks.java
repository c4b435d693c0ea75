package io.cloudkon.client.plan;

import static io.cloudkon.client.report.Wording.count;
import static io.cloudkon.client.report.Wording.duration;
import static io.cloudkon.client.report.Wording.number;
import static io.cloudkon.client.report.Wording.perSecond;
import static io.cloudkon.client.report.Wording.threeDigits;

import io.cloudkon.client.collect.Collector;
import io.cloudkon.core.price.Money;
import io.cloudkon.simulator.cloud.CloudSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Puts a plan into sentences: the bottlenecks, the fleet to choose, and the options to change.
 * Stateless.
 */
final class Remarks {
  private static final double SAME_TIME = 1.02;

  private Remarks() {}

  /** The sentences, one per element. */
  static List<String> of(WorkloadPlan plan) {
    List<String> remarks = new ArrayList<>();
    if (plan.load().jobs() > 0) {
      remarks.add(
          "Its %s not included: only tasks are simulated."
              .formatted(
                  count(plan.load().jobs(), "HPC job")
                      + (plan.load().jobs() == 1 ? " is" : " are")));
    }
    limits(plan, remarks);
    plan.advice().ifPresent(advice -> remarks.add(advice(advice)));
    choice(plan, remarks);
    goal(plan, remarks);
    return remarks;
  }

  private static void limits(WorkloadPlan plan, List<String> remarks) {
    Map<Bottleneck, List<Forecast>> fleets = new EnumMap<>(Bottleneck.class);
    for (Forecast fleet : plan.fleets()) {
      fleets.computeIfAbsent(fleet.limit(), limit -> new ArrayList<>()).add(fleet);
    }
    fleets.forEach((limit, those) -> {
      if (limit != Bottleneck.NONE) {
        remarks.add("With %s %s".formatted(workers(those), why(plan, limit, those.getLast())));
      }
    });
  }

  /** {@code 10, 100 and 1,000 workers}. */
  private static String workers(List<Forecast> fleets) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < fleets.size(); i++) {
      text.append(i == 0 ? "" : i == fleets.size() - 1 ? " and " : ", ");
      text.append(number(fleets.get(i).workers()));
    }
    return text + (fleets.getLast().workers() == 1 ? " worker" : " workers");
  }

  private static String why(WorkloadPlan plan, Bottleneck limit, Forecast fleet) {
    Observation seen = fleet.simulated().seen();
    WorkloadSize load = plan.load();
    return switch (limit) {
      case NONE -> "nothing limits.";
      case RETENTION ->
          "it takes longer than the 14 days for which SQS keeps a message: tasks that wait longer"
              + " are lost. Use more workers or several smaller workloads.";
      case FEWER_TASKS_THAN_SLOTS ->
          "there are more slots than tasks: %s of %s slots have nothing to do."
              .formatted(number(fleet.slots() - load.tasks()), number(fleet.slots()));
      case LONGEST_TASK ->
          "the longest task, %s, takes most of the time: no fleet is faster than that."
              .formatted(duration(load.longestSeconds()));
      case IN_FLIGHT ->
          "SQS's limit of %s messages in flight is reached: it refused %s."
              .formatted(number(CloudSettings.IN_FLIGHT), count(seen.refusedReceives(), "receive"));
      case TABLE_WRITES ->
          "DynamoDB refuses %s of the writes to the table of claims: its quota is %s a second, until AWS raises it."
              .formatted(share(seen.throttled()), number(CloudSettings.TABLE_WRITES));
      case CLIENT_SENDS ->
          "the one client is the limit: its %s %s busy with sends for %s of the time, at %s tasks a call."
              .formatted(
                  count(plan.question().threads(), "thread"),
                  plan.question().threads() == 1 ? "is" : "are",
                  share(seen.sendsBusy(plan.question().threads())),
                  threeDigits(load.tasks() / Math.max(1, seen.sends())));
      case CLIENT_COLLECTS ->
          "the one client is the limit: all %s are busy with collecting results for %s of the time, at %s tasks/s."
              .formatted(
                  count(plan.question().threads() + Collector.MOST_HELPERS, "thread"),
                  share(seen.collectsBusy(plan.question().threads())),
                  perSecond(fleet.tasksPerSecond()));
      case FEW_TASKS_PER_SLOT ->
          "there are only %s tasks for each slot: slots that get fewer wait for the others."
              .formatted(threeDigits((double) load.tasks() / fleet.slots()));
      case SHORT_RUN ->
          "it takes %s, and much of that is the time on the way: about %s each for the first bundles and the last results."
              .formatted(
                  duration(fleet.makespanSeconds()),
                  duration(BottleneckSearch.roundTripSeconds(plan.question().latencies())));
      case CALLS_PER_BUNDLE ->
          "the calls for each bundle take about %s, which is long compared with its tasks of %s each."
              .formatted(
                  duration(BottleneckSearch.roundTripSeconds(plan.question().latencies())),
                  duration(load.meanSeconds()));
    };
  }

  private static String share(double part) {
    return String.format(Locale.ROOT, "%.0f %%", part * 100);
  }

  private static String advice(Advice advice) {
    String tried = "client %s".formatted(advice.options());
    return advice.helps()
        ? "With %s, %s take %s instead of %s (also simulated)."
            .formatted(
                tried,
                count(advice.fleet().workers(), "worker"),
                duration(advice.with().makespanSeconds()),
                duration(advice.fleet().makespanSeconds()))
        : "With %s, %s would take %s: that is not much faster (also simulated)."
            .formatted(
                tried,
                count(advice.fleet().workers(), "worker"),
                duration(advice.with().makespanSeconds()));
  }

  private static void choice(WorkloadPlan plan, List<String> remarks) {
    if (plan.fleets().size() < 2) {
      return;
    }
    Forecast cheapest = plan.cheapest();
    Forecast fastest = plan.fastest();
    if (cheapest.workers() == fastest.workers()) {
      remarks.add(
          "%s: cheapest and fastest of these, %s in %s."
              .formatted(
                  capital(count(fastest.workers(), "worker")),
                  Money.text(fastest.bill().total()),
                  duration(fastest.makespanSeconds())));
    } else {
      remarks.add(
          "Cheapest: %s, %s. Fastest: %s, %s for %s."
              .formatted(
                  count(cheapest.workers(), "worker"),
                  Money.text(cheapest.bill().total()),
                  count(fastest.workers(), "worker"),
                  duration(fastest.makespanSeconds()),
                  Money.text(fastest.bill().total())));
    }
    remarks.add(
        "Cost of calls with %s: %s."
            .formatted(count(cheapest.workers(), "worker"), services(cheapest.bill())));
    Forecast enough = plan.enough();
    Forecast largest = plan.fleets().getLast();
    if (enough.workers() < largest.workers()) {
      remarks.add(
          "More than %s %s: with %s it takes %s."
              .formatted(
                  count(enough.workers(), "worker"),
                  largest.makespanSeconds() > SAME_TIME * enough.makespanSeconds()
                      ? "slow it down"
                      : "hardly help",
                  number(largest.workers()),
                  duration(largest.makespanSeconds())));
    }
  }

  private static String services(Bill bill) {
    String text =
        "SQS %s, DynamoDB %s".formatted(Money.text(bill.sqs()), Money.text(bill.dynamodb()));
    return bill.s3() < 0.000_05 ? text : text + ", S3 " + Money.text(bill.s3());
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private static void goal(WorkloadPlan plan, List<String> remarks) {
    WorkloadPlan.Target goal = plan.goal();
    if (goal == null) {
      return;
    }
    String within = "within %s".formatted(duration(goal.seconds()));
    if (goal.fleet().isPresent()) {
      Forecast fleet = goal.fleet().get();
      remarks.add(
          "The smallest fleet that finishes %s: %s, %s for %s."
              .formatted(
                  within,
                  count(fleet.workers(), "worker"),
                  duration(fleet.makespanSeconds()),
                  Money.text(fleet.bill().total())));
    } else if (plan.load().longestSeconds() > goal.seconds()) {
      remarks.add(
          "No fleet finishes %s: the longest task alone takes %s."
              .formatted(within, duration(plan.load().longestSeconds())));
    } else {
      remarks.add(
          "No fleet of up to %s finishes %s%s."
              .formatted(
                  count(goal.tried(), "worker"),
                  within,
                  goal.tried() < Goal.MOST_WORKERS ? ", and larger ones are no faster" : ""));
    }
  }
}
