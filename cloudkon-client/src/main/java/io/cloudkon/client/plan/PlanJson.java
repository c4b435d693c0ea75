package io.cloudkon.client.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.cli.JsonText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats a plan as one JSON object. Times are in seconds, prices in USD. Stateless. */
final class PlanJson {
  private static final int DECIMALS = 9;

  private PlanJson() {}

  /** The object, indented. */
  static String of(WorkloadPlan plan) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("workload", plan.load().name())
        .put("tasks", plan.load().tasks())
        .put("hpcJobsLeftOut", plan.load().jobs())
        .put("workSeconds", rounded(plan.load().workSeconds()))
        .put("longestTaskSeconds", rounded(plan.load().longestSeconds()));
    question(root, plan);
    var fleets = root.putArray("fleets");
    plan.fleets().forEach(fleet -> fleet(fleets.addObject(), fleet));
    WorkloadPlan.Target goal = plan.goal();
    if (goal != null) {
      ObjectNode node = root.putObject("goal").put("seconds", rounded(goal.seconds()));
      goal.fleet().ifPresent(fleet -> fleet(node.putObject("fleet"), fleet));
    }
    plan.advice()
        .ifPresent(advice ->
            root.putObject("advice")
                .put("options", advice.options())
                .put("workers", advice.fleet().workers())
                .put("makespanSeconds", rounded(advice.with().makespanSeconds()))
                .put("helps", advice.helps()));
    var remarks = root.putArray("remarks");
    Remarks.of(plan).forEach(remarks::add);
    return JsonText.of(root);
  }

  private static void question(ObjectNode root, WorkloadPlan plan) {
    PlanSettings question = plan.question();
    root.put("consistency", question.consistency().label())
        .put("claim", question.claim().label())
        .put("threads", question.threads())
        .put("seed", question.seed())
        .put("idleSeconds", question.idleSeconds());
    root.putObject("instance")
        .put("type", question.instance().name())
        .put("slots", question.instance().slots())
        .put("usdPerHour", rounded(question.instance().usdPerHour()))
        .put("pricesAsOf", plan.prices().asOf())
        .put("region", plan.prices().region());
  }

  private static void fleet(ObjectNode node, Forecast fleet) {
    Bill bill = fleet.bill();
    node.put("workers", fleet.workers())
        .put("slots", fleet.slots())
        .put("makespanSeconds", rounded(fleet.makespanSeconds()))
        .put("efficiency", rounded(fleet.efficiency()))
        .put("tasksPerSecond", rounded(fleet.tasksPerSecond()))
        .put("limit", fleet.limit().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .put("tasksSimulated", fleet.simulated().tasks());
    node.putObject("usd")
        .put("sqs", rounded(bill.sqs()))
        .put("dynamodb", rounded(bill.dynamodb()))
        .put("s3", rounded(bill.s3()))
        .put("calls", rounded(bill.allCalls()))
        .put("instances", rounded(bill.instances()))
        .put("total", rounded(bill.total()));
    ObjectNode calls = node.putObject("calls");
    bill.calls()
        .forEach((operation, volume) ->
            calls
                .putObject(operation)
                .put("calls", Math.round(volume.count()))
                .put("units", rounded(volume.units())));
    node.put("instanceSeconds", rounded(bill.instanceSeconds()));
  }

  /** Rounds to nine decimals, beyond which there is only noise. */
  private static BigDecimal rounded(double value) {
    BigDecimal number = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }
}
