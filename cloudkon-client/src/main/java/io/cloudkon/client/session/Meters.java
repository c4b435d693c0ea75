package io.cloudkon.client.session;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.price.Prices;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a client's run.
 *
 * @param calls this process's API calls so far
 * @param price the cost of calls in US dollars
 * @param outages registers a listener for services that do not answer
 * @param serviceToWallMicros converts the service's clock in milliseconds to this machine's in
 *     microseconds
 */
public record Meters(
    TimeSource time,
    Supplier<List<Calls>> calls,
    ToDoubleFunction<List<Calls>> price,
    Consumer<Consumer<String>> outages,
    LongUnaryOperator serviceToWallMicros) {

  /** The meters of a run that calls AWS. */
  public static Meters of(AwsCloud cloud, SystemTime time) {
    Prices prices = Prices.list();
    return new Meters(
        time,
        () -> cloud.calls().snapshot(),
        prices::cost,
        cloud.outages()::tell,
        millis -> (millis - time.offsetMillis()) * 1000);
  }

  /** The meters of a local run, which makes no calls and has one clock. */
  public static Meters local(TimeSource time) {
    return new Meters(time, List::of, calls -> 0, listener -> {}, millis -> millis * 1000);
  }
}
