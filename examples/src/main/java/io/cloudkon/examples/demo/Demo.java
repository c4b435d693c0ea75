package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The demo from the first process to the last. */
final class Demo {
  /** The cluster's name. */
  static final String QUEUE = "demo";

  private static final Duration READY = Duration.ofMinutes(2);
  private static final long GONE_SECONDS = 10;

  private final Installation installation;
  private final DemoChildren children;
  private final Narrator narrator;
  private final Path temporary;

  Demo(Installation installation, DemoChildren children, Narrator narrator, Path temporary) {
    this.installation = installation;
    this.children = children;
    this.narrator = narrator;
    this.temporary = temporary;
  }

  /**
   * Runs it.
   *
   * @param out where picture and results go
   * @throws WrongException if anything did not come out right
   */
  void run(Path out) throws InterruptedException {
    long began = System.nanoTime();
    narrator.say("CloudKon on this machine: SQS, DynamoDB, workers and client as processes.");
    narrator.heading("Starting SQS and DynamoDB (the embedded AWS) ...");
    DemoChild emulator = startEmulator();
    setup();
    narrator.say(
        "Starting a provisioner, and no worker: it launches up to %d, of %d slots each, when there is work ..."
            .formatted(DemoFleet.MOST, DemoFleet.SLOTS));
    DemoFleet fleet = DemoFleet.start(children, installation, QUEUE, temporary, narrator);
    narrator.say(
        "Ready: process %d. Half-way, one of its workers will be killed."
            .formatted(fleet.provisioner()));

    new MandelbrotPart(children, installation, fleet, narrator).run(out);
    new ChecksumPart(children, installation, fleet, narrator).run(temporary, out);

    narrator.heading(
        "3. No work is left: workers end themselves after %s without any"
            .formatted(DemoFleet.IDLE));
    fleet.awaitNone();
    narrator.say("%d workers were launched in all, and none is left.".formatted(fleet.everSeen()));
    stop(fleet, emulator);
    narrator.heading(
        "All results are correct, and every process has ended. It took %d s."
            .formatted(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)));
  }

  private DemoChild startEmulator() throws InterruptedException {
    DemoChild emulator = children.start("the embedded AWS", installation.emulator());
    List<String> lines = emulator.awaitLine(EmulatorLines::isLast, READY);
    Map<String, String> environment = EmulatorLines.environment(lines);
    children.cloud(environment);
    narrator.say(
        "They answer at %s and %s."
            .formatted(
                environment.get("AWS_ENDPOINT_URL_SQS"),
                environment.get("AWS_ENDPOINT_URL_DYNAMODB")));
    return emulator;
  }

  private void setup() throws InterruptedException {
    narrator.say("Creating the queues and tables of cluster '%s' ...".formatted(QUEUE));
    DemoChild setup = children.start("setup", installation.setup("setup", "-s", QUEUE));
    if (setup.awaitEnd() != 0) {
      throw new CloudKonException("setup failed: " + setup.said());
    }
  }

  private void stop(DemoFleet fleet, DemoChild emulator) throws InterruptedException {
    List<ProcessHandle> before = children.alive();
    fleet.stop();
    emulator.process().destroy();
    emulator.awaitEnd();
    for (ProcessHandle handle : before) {
      try {
        handle.onExit().get(GONE_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        throw new WrongException("process %d is still there".formatted(handle.pid()));
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
