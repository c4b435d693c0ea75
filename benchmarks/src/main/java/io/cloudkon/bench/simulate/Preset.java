package io.cloudkon.bench.simulate;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.cloud.Latencies;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Defaults that belong together; an option that is given wins over them. */
public enum Preset {
  /** What this program does by itself, at today's latencies. */
  NONE("", Consistency.EXACTLY_ONCE, 0, Latencies.TODAY, true, 0),

  /**
   * What was published: at most once, one task in each message and one write for it, ten messages
   * in each call, workers that do one step after the other, the latencies of its time, a table
   * whose capacity was bought to fit, and what the worker's program needed for itself.
   */
  ORIGINAL(
      "original",
      Consistency.AT_MOST_ONCE,
      1,
      Published.LATENCIES,
      false,
      Published.OVERHEAD_MICROS);

  private final String label;
  private final Consistency consistency;
  private final int bundle;
  private final Latencies latencies;
  private final boolean quotas;
  private final long overheadMicros;

  Preset(
      String label,
      Consistency consistency,
      int bundle,
      Latencies latencies,
      boolean quotas,
      long overheadMicros) {
    this.label = label;
    this.consistency = consistency;
    this.bundle = bundle;
    this.latencies = latencies;
    this.quotas = quotas;
    this.overheadMicros = overheadMicros;
  }

  public Consistency consistency() {
    return consistency;
  }

  /** What one claim guards in a run of this consistency. */
  public ClaimScope claim(Consistency chosen) {
    return this == ORIGINAL ? ClaimScope.asPublished(chosen) : ClaimScope.BUNDLE;
  }

  /** Tasks in each bundle; 0 adapts. */
  public int bundle() {
    return bundle;
  }

  public Latencies latencies() {
    return latencies;
  }

  /** Whether DynamoDB's quota of writes per table holds. */
  public boolean quotas() {
    return quotas;
  }

  /** What the worker's program adds to each task, in microseconds. */
  public long overheadMicros() {
    return overheadMicros;
  }

  /** For picocli. */
  static final class Converter implements ITypeConverter<Preset> {
    @Override
    public Preset convert(String value) {
      if (value.equals(ORIGINAL.label)) {
        return ORIGINAL;
      }
      throw new TypeConversionException("expected original, not '%s'".formatted(value));
    }
  }
}
