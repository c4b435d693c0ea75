package io.cloudkon.worker.service;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.durations.Durations;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import java.util.ArrayList;
import java.util.List;

/** Sums up how long neighbouring tasks of one sort took. */
final class Samples {
  private final List<WorkerEvent.Sample> done = new ArrayList<>();
  private String key = "";
  private int count;
  private long micros;

  void add(Work work, long took) {
    String its = Durations.key(work);
    if (count > 0 && !its.equals(key)) {
      done.add(new WorkerEvent.Sample(key, count, micros));
      count = 0;
      micros = 0;
    }
    key = its;
    count++;
    micros += Math.max(0, took);
  }

  List<WorkerEvent.Sample> list() {
    if (count > 0) {
      done.add(new WorkerEvent.Sample(key, count, micros));
      count = 0;
    }
    return done;
  }
}
