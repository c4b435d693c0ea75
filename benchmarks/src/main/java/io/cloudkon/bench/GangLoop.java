package io.cloudkon.bench;

import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.Stage;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.hpc.rmi.Endpoint;
import io.cloudkon.hpc.rmi.Identity;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import io.cloudkon.hpc.rmi.Welcome;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A client that runs one HPC job after the other, each once the previous gang has dissolved. In
 * between, on a cluster that is idle again, it makes the bare calls of an admission, a message and
 * RMI: {@code GangLoop QUEUE WORKLOAD ROUNDS on|off}, where on selects RMI over TLS. Prints the
 * medians in milliseconds: from received to started, and of those three.
 */
public final class GangLoop {
  /** Longer than a gang without a job lasts, which is a tenth of a second. */
  private static final long PAUSE_MILLIS = 700;

  private static final int BYTES = 250;
  private static final String GANG = "raw";

  private GangLoop() {}

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int rounds = Integer.parseInt(args[2]);
    double[][] millis = new double[4][rounds];
    SystemTime time = new SystemTime();
    Secrets secrets = new Secrets();
    String secret = Secrets.fresh();
    Identity identity = args[3].equals("off") ? Identity.none() : Identity.fresh();
    secrets.manage(GANG, Secrets.fresh());
    boolean unused = secrets.join(GANG, "raw", secret, identity.fingerprint());
    Idle idle = new Idle();
    try (AwsCloud cloud = AwsCloud.connect(Set.of(), time);
        RawCalls raw = new RawCalls(args[0]);
        Endpoint endpoint = Endpoint.open("127.0.0.1", 0, idle, idle, secrets, identity);
        Stubs stubs = new Stubs(identity);
        ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor()) {
      ManagerPort manager = stubs.manager(endpoint.address(), secret);
      for (int i = -rounds / 2; i < rounds; i++) {
        int at = Math.max(0, i); // the first ones only warm up
        millis[0][at] =
            afterPause(pauses, () -> received(LonelyLoop.run(cloud, args[0], args[1], time)));
        millis[1][at] =
            afterPause(
                pauses,
                () -> {
                  raw.awaitIdle(); // as our job found it
                  return taken(raw::admit);
                });
        long begun = System.nanoTime();
        List<Message> messages = raw.sendAndReceive(new byte[BYTES]);
        millis[2][at] = (System.nanoTime() - begun) / 1e6;
        raw.delete(messages);
        millis[3][at] =
            taken(() -> {
              Standing answer =
                  manager.report(
                      GANG, new io.cloudkon.hpc.rmi.Report("raw", new RankEnd[0], false));
              if (!answer.known()) {
                throw new IllegalStateException("the gang is known");
              }
            });
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%.3f %.3f %.3f %.3f%n",
        LonelyLoop.median(millis[0]),
        LonelyLoop.median(millis[1]),
        LonelyLoop.median(millis[2]),
        LonelyLoop.median(millis[3]));
  }

  /** The time that something takes that begins once the former gang is gone. */
  private static double afterPause(ScheduledExecutorService pauses, Callable<Double> millis)
      throws InterruptedException, ExecutionException {
    return pauses.schedule(millis, PAUSE_MILLIS, TimeUnit.MILLISECONDS).get();
  }

  /** The time from received to started. */
  private static double received(RunReport report) {
    return median(report, Stage.AHEAD) + median(report, Stage.CLAIM) + median(report, Stage.WAIT);
  }

  private static double median(RunReport report, Stage stage) {
    return Objects.requireNonNull(report.stageMillis().get(stage)).p50();
  }

  private static double taken(Runnable call) {
    long begun = System.nanoTime();
    call.run();
    return (System.nanoTime() - begun) / 1e6;
  }

  /** A manager that knows a gang without work. */
  private static final class Idle implements ManagerPort, SubWorkerPort {
    private static final Standing KNOWN = new Standing(true, 1_000);

    @Override
    public Welcome register(String gang, Registration registration) {
      return new Welcome(new int[0], 0);
    }

    @Override
    public Standing report(String gang, io.cloudkon.hpc.rmi.Report report) {
      return KNOWN;
    }

    @Override
    public void ping(String gang) {}

    @Override
    public Standing start(String gang, StartRanks start) {
      return KNOWN;
    }

    @Override
    public void kill(String gang, KillRanks kill) {}

    @Override
    public void dissolve(String gang) {}

    @Override
    public boolean deliver(String gang, RankMessage message) {
      return false;
    }
  }
}
