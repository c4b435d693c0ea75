package io.cloudkon.worker.service;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import java.util.ArrayList;
import java.util.List;

/** Sums up the durations of consecutive tasks of the same kind. */
final class Samples {
  private final List<WorkerEvent.Sample> done = new ArrayList<>();
  private String key = "";
  private final DurationSum sum = new DurationSum();

  void add(Work work, long took) {
    String its = LearnedDurations.key(work);
    if (sum.size() > 0 && !its.equals(key)) {
      take();
    }
    key = its;
    sum.add(took);
  }

  List<WorkerEvent.Sample> list() {
    if (sum.size() > 0) {
      take();
    }
    return done;
  }

  private void take() {
    DurationSum.Sum taken = sum.take();
    done.add(new WorkerEvent.Sample(key, taken.count(), taken.micros()));
  }
}
