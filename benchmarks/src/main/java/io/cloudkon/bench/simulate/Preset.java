package io.cloudkon.bench.simulate;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.cloud.Latencies;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Defaults that belong together; explicit options take precedence. */
public enum Preset {
  /** The program's own defaults, with today's latencies. */
  NONE("", Consistency.EXACTLY_ONCE, 0, Latencies.TODAY, true, 0),

  /**
   * The published design: at-most-once, one task in each message and one write for it, ten messages
   * in each call, workers that do one step after the other, the latencies of its time, a table with
   * sufficient capacity, and the time that the worker's program needed for itself.
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

  /** The scope of a claim in a run of this consistency. */
  public ClaimScope claim(Consistency chosen) {
    return this == ORIGINAL ? ClaimScope.asPublished(chosen) : ClaimScope.BUNDLE;
  }

  /** The number of tasks in each bundle; 0 for adaptive. */
  public int bundle() {
    return bundle;
  }

  public Latencies latencies() {
    return latencies;
  }

  /** Whether DynamoDB's quota of writes per table applies. */
  public boolean quotas() {
    return quotas;
  }

  /** The time that the worker's program adds to each task, in microseconds. */
  public long overheadMicros() {
    return overheadMicros;
  }

  /** The converter for picocli. */
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
