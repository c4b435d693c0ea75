package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
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
    try {
      new Runner(options(setting.quick())).run();
    } catch (RunnerException e) {
      throw new CloudKonException("JMH: " + e.getMessage(), e);
    }
  }

  /** All benchmarks; by default JMH would report one that fails, and succeed. */
  static Options options(boolean quick) {
    TimeValue time = new TimeValue(quick ? 200 : 1000, TimeUnit.MILLISECONDS);
    return new OptionsBuilder()
        .include("io\\.cloudkon\\.bench\\.micro\\..*")
        .shouldFailOnError(true)
        .forks(1)
        .warmupIterations(3)
        .warmupTime(time)
        .measurementIterations(5)
        .measurementTime(time)
        .build();
  }
}
