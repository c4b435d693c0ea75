package io.cloudkon.client.plan;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.price.InstanceTypes;
import io.cloudkon.core.price.Prices;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what a workload would take on fleets of several sizes.
 *
 * @param workload its name, as the user gave it
 * @param workers the sizes of the fleets: comma-separated numbers
 * @param durations the durations of tasks: values of {@code --duration}
 * @param like the folder of an earlier run that gives durations; null for none
 * @param instance the type of each worker's instance
 * @param hourly the price of an instance in USD per hour; null for the list price
 * @param slots the slots of each worker; null for the instance's vCPUs
 * @param threads the client's threads
 * @param bundler the sizes of bundles
 * @param consistency the consistency of the run
 * @param claim the scope of one claim
 * @param latency the median latency of every call; null for the usual one of each service
 * @param idle how long a worker stays alive without work
 * @param goal the time within which the run must be over; null for no limit
 * @param seed the seed of everything that is drawn
 */
public record Planner(
    String workload,
    String workers,
    List<String> durations,
    @Nullable Path like,
    String instance,
    @Nullable Double hourly,
    @Nullable Integer slots,
    int threads,
    BundlerSettings bundler,
    Consistency consistency,
    ClaimScope claim,
    @Nullable Duration latency,
    Duration idle,
    @Nullable Duration goal,
    long seed) {
  private static final int MOST_FLEETS = 20;
  private static final int MOST_SLOTS = 1024;
  private static final int DEAREST = 10_000;
  private static final Duration SLOWEST = Duration.ofSeconds(10);

  /** The 99th percentile of a call over its median. */
  private static final double TAIL = 3;

  public Planner {
    durations = List.copyOf(durations);
  }

  /** An answer, as text or as JSON. */
  public static final class Answer {
    private final WorkloadPlan plan;

    private Answer(WorkloadPlan plan) {
      this.plan = plan;
    }

    /** The answer for people: lines of at most 80 columns, each with its line end. */
    public String text() {
      return PlanText.of(plan);
    }

    /** The answer for scripts: one JSON object. */
    public String json() {
      return PlanJson.of(plan);
    }
  }

  /** The validated inputs that do not depend on the workload. */
  private record Checked(
      List<Integer> fleets, List<GivenTime> given, InstanceTypes prices, PlanSettings question) {}

  /**
   * Validates the inputs that do not depend on the workload.
   *
   * @throws UsageException if an input is out of its bounds
   */
  public void check() {
    Checked unused = checked();
  }

  private Checked checked() {
    InstanceTypes prices = InstanceTypes.list();
    List<Integer> fleets = fleets();
    List<GivenTime> given = durations.stream().map(Planner::given).toList();
    require(
        slots == null || (slots >= 1 && slots <= MOST_SLOTS),
        () -> "--slots %d: expected 1 to %d".formatted(slots, MOST_SLOTS));
    require(
        hourly == null || (hourly >= 0 && hourly <= DEAREST),
        () -> "--hourly %s: expected USD per hour, 0 to %d".formatted(hourly, DEAREST));
    require(
        latency == null || (latency.isPositive() && latency.compareTo(SLOWEST) <= 0),
        () -> "--latency: expected more than 0ms, and at most 10s");
    require(goal == null || goal.isPositive(), () -> "--goal: expected more than 0s");
    return new Checked(
        fleets,
        given,
        prices,
        new PlanSettings(
            prices.choose(instance, hourly, slots),
            threads,
            bundler,
            consistency,
            claim,
            latencies(),
            Math.ceilDiv(idle.toMillis(), 1000),
            seed));
  }

  private static void require(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new UsageException(message.get());
    }
  }

  private List<Integer> fleets() {
    TreeSet<Integer> fleets = new TreeSet<>();
    for (String word : workers.split(",", -1)) {
      String digits = word.strip();
      int number = digits.matches("[0-9]{1,6}") ? Integer.parseInt(digits) : 0;
      int count = number <= Goal.MOST_WORKERS ? number : 0;
      require(
          count >= 1,
          () ->
              "--workers %s: expected numbers from 1 to %d with commas between them, such as 1,10,100"
                  .formatted(workers, Goal.MOST_WORKERS));
      fleets.add(count);
    }
    require(
        fleets.size() <= MOST_FLEETS,
        () -> "--workers: expected at most %d numbers".formatted(MOST_FLEETS));
    return List.copyOf(fleets);
  }

  private static GivenTime given(String text) {
    try {
      return GivenTime.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--duration: %s".formatted(e.getMessage()), e);
    }
  }

  private Latencies latencies() {
    if (latency == null) {
      return Latencies.TODAY;
    }
    double millis = latency.toNanos() / 1e6;
    return Latencies.all(Latency.millis(millis, TAIL * millis));
  }

  /**
   * Simulates each fleet.
   *
   * @param tasks the workload, checked
   * @param begins receives the number of workers of each fleet before it is simulated
   * @throws UsageException if an option is out of its bounds, or a task's duration is unknown
   */
  public Answer answer(Workload tasks, IntConsumer begins) {
    Checked checked = checked();
    SplittableRandom random = new SplittableRandom(seed);
    EarlierRun earlier = like == null ? null : EarlierRun.read(like, tasks, random);
    WorkloadSize load =
        new WorkloadSizeReader(workload, new TaskDurations(checked.given(), earlier), seed)
            .read(tasks);
    Forecaster fleets = new Forecaster(load, checked.question(), Prices.list(), begins);
    List<Forecast> rows = new ArrayList<>();
    checked.fleets().forEach(count -> rows.add(fleets.of(count)));
    WorkloadPlan.Target target = goal == null ? null : Goal.reach(fleets, goal.toMillis() / 1000.0);
    return new Answer(
        new WorkloadPlan(
            load,
            checked.question(),
            checked.prices(),
            times(earlier),
            rows,
            target,
            Advice.find(fleets, rows)));
  }

  private String times(@Nullable EarlierRun earlier) {
    List<String> parts = new ArrayList<>();
    if (earlier != null) {
      parts.add(
          earlier.sorted()
              ? "as in the run in %s".formatted(like)
              : "as in the run in %s, the same for all kinds of tasks: its workload can no longer be read"
                  .formatted(like));
    }
    if (!durations.isEmpty()) {
      parts.add("as given by --duration %s".formatted(String.join(" ", durations)));
    }
    return parts.isEmpty() ? "" : "Durations of tasks: %s".formatted(String.join("; ", parts));
  }
}
