package io.cloudkon.bench.fleet;

import java.util.List;
import java.util.function.Predicate;

/**
 * The key figures of a fleet. Immutable.
 *
 * @param firstLaunchSeconds from the first sample with a backlog to the first with a booting or
 *     live worker
 * @param mostWanted the maximum number of workers that were wanted at a time
 * @param mostWorkers the maximum number of workers that lived at a time; booting ones are known one
 *     sample later
 * @param spentUsd what the workers cost
 * @param emptySeconds from the last sample with a backlog until no worker lived; negative if that
 *     was not seen
 */
record FleetTable(
    double firstLaunchSeconds,
    int mostWanted,
    int mostWorkers,
    double spentUsd,
    double emptySeconds) {

  static FleetTable of(List<FleetSample> samples) {
    long backlog = first(samples, sample -> sample.queue() > 0);
    long launch = first(samples, sample -> sample.booting() + sample.live() > 0);
    long last =
        samples.stream()
            .filter(sample -> sample.queue() > 0)
            .mapToLong(FleetSample::atMillis)
            .max()
            .orElse(-1);
    long empty = first(samples, sample -> sample.atMillis() > last && sample.live() == 0);
    return new FleetTable(
        (launch - backlog) / 1000.0,
        samples.stream().mapToInt(FleetSample::wanted).max().orElse(0),
        samples.stream().mapToInt(FleetSample::live).max().orElse(0),
        samples.getLast().spentUsd(),
        empty < 0 ? -1 : (empty - last) / 1000.0);
  }

  private static long first(List<FleetSample> samples, Predicate<FleetSample> wanted) {
    return samples.stream().filter(wanted).mapToLong(FleetSample::atMillis).findFirst().orElse(-1);
  }
}
