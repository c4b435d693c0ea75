package io.cloudkon.client.plan;

import static io.cloudkon.client.report.Wording.count;
import static io.cloudkon.client.report.Wording.duration;
import static io.cloudkon.client.report.Wording.number;
import static io.cloudkon.client.report.Wording.perSecond;
import static io.cloudkon.client.report.Wording.percent;

import io.cloudkon.core.price.Money;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats a plan for people: a table and a few sentences, at most 80 columns wide. Stateless. */
final class PlanText {
  private static final int COLUMNS = 80;

  private PlanText() {}

  /** The text, each line with its line end. */
  static String of(WorkloadPlan plan) {
    List<String> lines = new ArrayList<>();
    head(plan, lines);
    lines.add("");
    lines.add(
        row("WORKERS", "SLOTS", "TIME", "EFFICIENCY", "TASKS/S", "CALLS", "INSTANCES", "TOTAL"));
    plan.fleets().forEach(fleet -> lines.add(row(fleet)));
    lines.add("");
    Remarks.of(plan).forEach(remark -> wrap(remark, lines));
    lines.add("");
    wrap(assumed(plan), lines);
    return String.join("\n", lines) + "\n";
  }

  private static void head(WorkloadPlan plan, List<String> lines) {
    WorkloadSize load = plan.load();
    PlanSettings question = plan.question();
    wrap(
        "%s: %s, %s"
            .formatted(
                load.name().equals("-") ? "Standard input" : load.name(),
                count(load.tasks(), "task"),
                load.workSeconds() == 0
                    ? "which take no time"
                    : "%s of work, the longest task %s"
                        .formatted(duration(load.workSeconds()), duration(load.longestSeconds()))),
        lines);
    if (!plan.times().isEmpty()) {
      wrap(plan.times(), lines);
    }
    wrap(
        "Each worker on a %s at $%s an hour with %s; %s, %s"
            .formatted(
                question.instance().name(),
                plainNumber(question.instance().usdPerHour()),
                count(question.instance().slots(), "slot"),
                question.consistency().label(),
                count(question.threads(), "client thread")),
        lines);
  }

  private static String plainNumber(double usd) {
    return java.math.BigDecimal.valueOf(usd).stripTrailingZeros().toPlainString();
  }

  private static String row(Forecast fleet) {
    return row(
        number(fleet.workers()),
        number(fleet.slots()),
        duration(fleet.makespanSeconds()),
        fleet.efficiency() == 0 ? "-" : percent(fleet.efficiency()),
        perSecond(fleet.tasksPerSecond()),
        Money.text(fleet.bill().allCalls()),
        Money.text(fleet.bill().instances()),
        Money.text(fleet.bill().total()));
  }

  /** The assumptions of the plan. */
  private static String assumed(WorkloadPlan plan) {
    StringBuilder text = new StringBuilder();
    text.append(
        "Assumptions: one client in the workers' region, all workers run from the start, every task"
            + " succeeds, and the programs themselves take no time. ");
    sampled(plan, text);
    text.append(
        "Calls include each worker's entry in Q-workers every %d s; instances are paid for the run and for %d s idle, but for %d s at least. Prices: %s, instances as of %s."
            .formatted(
                Bill.HEARTBEAT_SECONDS,
                plan.question().idleSeconds(),
                Bill.LEAST_SECONDS,
                plan.prices().region(),
                plan.prices().asOf()));
    return text.toString();
  }

  private static void sampled(WorkloadPlan plan, StringBuilder text) {
    long least =
        plan.fleets().stream().mapToLong(fleet -> fleet.simulated().tasks()).min().orElse(0);
    if (least < plan.load().tasks()) {
      text.append(
          "Because there are many tasks, a sample of %s or more of the %s was simulated for each fleet and extrapolated to all. "
              .formatted(number(least), number(plan.load().tasks())));
    }
    if (plan.fleets().stream().anyMatch(fleet -> fleet.simulated().shortened())) {
      text.append(
          "Because tasks are long, shorter ones were simulated and extrapolated to their length. ");
    }
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "%7s %7s %12s %10s %8s %9s %10s %9s", cells).stripTrailing();
  }

  /** Wraps text between words. */
  static void wrap(String text, List<String> lines) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" (?=[^%])", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > COLUMNS) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
  }
}
