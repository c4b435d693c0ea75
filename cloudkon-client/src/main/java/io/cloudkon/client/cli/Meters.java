package io.cloudkon.client.cli;

import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What a client measures its run by.
 *
 * @param calls this process's API calls so far
 * @param price what calls cost, in US dollars
 * @param serviceToWallMicros from the service's clock in milliseconds to this machine's in
 *     microseconds
 */
record Meters(
    TimeSource time,
    Supplier<List<Calls>> calls,
    ToDoubleFunction<List<Calls>> price,
    LongUnaryOperator serviceToWallMicros) {

  /** Where nothing is called, and there is one clock. */
  static Meters local(TimeSource time) {
    return new Meters(time, List::of, calls -> 0, millis -> millis * 1000);
  }
}
