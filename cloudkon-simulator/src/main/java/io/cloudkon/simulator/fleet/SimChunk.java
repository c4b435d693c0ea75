package io.cloudkon.simulator.fleet;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The work of one slot. */
final class SimChunk {
  final int slot;
  final SimBundle hand;
  final int attempt;
  int[] positions;
  final Map<String, DurationSum> took = new LinkedHashMap<>();
  BitSet finished = new BitSet();
  BitSet failed = new BitSet();
  long bytes;
  int next;
  int current = -1;
  boolean stop;
  boolean ended;

  SimChunk(int slot, SimBundle hand, int attempt, Positions tasks) {
    this.slot = slot;
    this.hand = hand;
    this.attempt = attempt;
    this.positions = tasks.stream().toArray();
  }

  Positions notStarted() {
    return Positions.of(Arrays.copyOfRange(positions, next, positions.length));
  }

  List<WorkerEvent.Sample> samples() {
    return took.entrySet().stream()
        .map(entry -> {
          DurationSum.Sum sum = entry.getValue().take();
          return new WorkerEvent.Sample(entry.getKey(), sum.count(), sum.micros());
        })
        .toList();
  }
}
