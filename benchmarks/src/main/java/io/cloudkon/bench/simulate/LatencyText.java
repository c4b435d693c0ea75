package io.cloudkon.bench.simulate;

import io.cloudkon.core.config.Durations;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The latencies of {@code --latency}: one time for all calls, or by service, each with its median
 * and, after a slash, its 99th percentile. A service that is not named keeps its latency.
 *
 * @param text the option's value
 */
record LatencyText(String text) {
  private static final String EXPECTED =
      "expected milliseconds for all calls, such as 8, or by service sqs, dynamodb and s3 as median"
          + " or median/p99, such as sqs=8/30,dynamodb=5";

  /** Replaces the latencies that the text names. */
  Latencies over(Latencies rest) {
    if (text.indexOf('=') < 0) {
      return Latencies.all(latency(text));
    }
    Latencies all = rest;
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String service = part.substring(0, Math.max(0, equals)).strip().toLowerCase(Locale.ROOT);
      all = with(all, service, latency(part.substring(equals + 1)));
    }
    return all;
  }

  private Latencies with(Latencies all, String service, Latency latency) {
    return switch (service) {
      case "sqs" -> new Latencies(latency, latency, all.dynamo(), all.s3());
      case "dynamodb" -> new Latencies(all.sqs(), all.receive(), latency, all.s3());
      case "s3" -> new Latencies(all.sqs(), all.receive(), all.dynamo(), latency);
      default -> throw wrong();
    };
  }

  private Latency latency(String times) {
    int slash = times.indexOf('/');
    double median = millis(slash < 0 ? times : times.substring(0, slash));
    if (slash < 0) {
      return Latency.always(median);
    }
    double p99 = millis(times.substring(slash + 1));
    if (median <= 0 || p99 < median) {
      throw wrong();
    }
    return Latency.millis(median, p99);
  }

  private double millis(String time) {
    try {
      return Durations.parseOrMillis(time).toNanos() / 1e6;
    } catch (IllegalArgumentException e) {
      throw wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("'%s': %s".formatted(text, EXPECTED));
  }

  /** The converter for picocli. */
  static final class Converter implements ITypeConverter<LatencyText> {
    @Override
    public LatencyText convert(String value) {
      LatencyText latency = new LatencyText(value);
      try {
        var unused = latency.over(Latencies.TODAY);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
      return latency;
    }
  }
}
