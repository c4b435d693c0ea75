package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The JMH benchmarks of {@code io.cloudkon.bench.micro}. */
final class MicroBenchmark implements Benchmark {
  @Override
  public String name() {
    return "micro";
  }

  @Override
  public String what() {
    return "JMH: codec, results file and machines, per task";
  }

  @Override
  public void run(Setting setting) {
    TimeValue time = new TimeValue(setting.quick() ? 200 : 1000, TimeUnit.MILLISECONDS);
    try {
      new Runner(
              new OptionsBuilder()
                  .include("io\\.cloudkon\\.bench\\.micro\\..*")
                  .forks(1)
                  .warmupIterations(3)
                  .warmupTime(time)
                  .measurementIterations(5)
                  .measurementTime(time)
                  .build())
          .run();
    } catch (RunnerException e) {
      throw new CloudKonException("JMH: " + e.getMessage(), e);
    }
  }
}
