package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import io.cloudkon.bench.simulate.Preset;
import io.cloudkon.bench.simulate.Published;
import io.cloudkon.bench.simulate.Scenario;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.Latencies;
import java.util.List;

/** The variants that every figure compares. */
enum Variant {
  /** {@code --preset original}. */
  ORIGINAL("preset original", Preset.ORIGINAL, Published.LATENCIES, Hue.ORANGE, Stroke.DASHED),
  /** The defaults, with the original's latencies. */
  OURS_THEN(
      "defaults, published latencies", Preset.NONE, Published.LATENCIES, Hue.BLUE, Stroke.DASHED),
  /** The defaults, with today's latencies. */
  OURS_TODAY("defaults, today's latencies", Preset.NONE, Latencies.TODAY, Hue.BLUE, Stroke.SOLID),
  /** Likewise, with DynamoDB's quota of writes raised, as AWS does on request. */
  OURS_RAISED(
      "the same, quota of writes raised", Preset.NONE, Latencies.TODAY, Hue.GREEN, Stroke.SOLID);

  /** The variants that are compared at sizes for which figures are published. */
  static final List<Variant> COMPARED = List.of(ORIGINAL, OURS_THEN, OURS_TODAY);

  /**
   * The most clients: as many as the largest published fleet has. Each remembers every worker, so
   * 16,384 of each would need 17 GB.
   */
  private static final int MOST_CLIENTS = 1_024;

  private static final long SEED = 1;

  private final String label;
  private final Preset preset;
  private final Latencies latencies;
  private final Hue hue;
  private final Stroke stroke;

  Variant(String label, Preset preset, Latencies latencies, Hue hue, Stroke stroke) {
    this.label = label;
    this.preset = preset;
    this.latencies = latencies;
    this.hue = hue;
    this.stroke = stroke;
  }

  /** Its label in figures and tables. */
  String label() {
    return label;
  }

  Hue hue() {
    return hue;
  }

  Stroke stroke() {
    return stroke;
  }

  /**
   * The scenario of this variant under a load: one client for each worker, as published, up to
   * {@link #MOST_CLIENTS}.
   */
  Scenario scenario(Load load, int tasksPerWorker, int workers) {
    BundlerSettings adaptive = BundlerSettings.DEFAULT;
    ClientSetup client =
        ClientSetup.DEFAULT
            .withThreads(load.threads())
            .with(
                new BundlerSettings(
                    preset.bundle(), adaptive.targetMillis(), adaptive.maxBytes(), true));
    return new Scenario(
        SEED,
        preset.consistency(),
        load.slots(),
        tasksPerWorker,
        load.times(),
        Math.min(workers, MOST_CLIENTS),
        client.with(preset.claim(preset.consistency())),
        latencies,
        preset.quotas() && this != OURS_RAISED,
        preset.overheadMicros());
  }
}
