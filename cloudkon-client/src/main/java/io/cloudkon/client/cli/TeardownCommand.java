package io.cloudkon.client.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.aws.ServiceWait;
import io.cloudkon.core.aws.ec2.LeftInstances;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.process.StateFolder;
import io.cloudkon.core.time.SystemTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code teardown}: removes a cluster. */
@Command(
    name = "teardown",
    description = {
      "Removes every queue and table of a cluster with their contents, its objects in",
      "the bucket, and response queues that clients left behind. Refuses while a run",
      "is open, a provisioner is active, an instance is left or a worker is alive, and",
      "if the cluster belongs to a CloudFormation stack that was not deleted before.",
      "Also removes what its provisioners kept on this machine, in the state folder."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon teardown -s Q --yes",
      "  cloudkon teardown -s Q --instances",
    })
public final class TeardownCommand implements Callable<Integer> {
  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  @Option(
      names = "--instances",
      description = "First end the EC2 instances that provisioners left.")
  boolean instances;

  @Option(
      names = "--stack",
      paramLabel = "NAME",
      description = "Remove what this deleted stack left behind.")
  @Nullable String stack;

  @Mixin ResultOptions print = new ResultOptions();

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() throws IOException {
    Names.checkCluster(queue);
    SystemTime time = new SystemTime();
    try (AwsCloud cloud = aws.connect(time)) {
      cloud.probeServices(queue);
      // Where nothing is left there is no question to ask; instances may outlive their cluster.
      if (!yes && (instances || cloud.setup().exists(queue))) {
        confirm();
      }
      LeftInstances left =
          new LeftInstances(cloud.cluster(queue), cloud.ec2(), time, TeardownCommand::pause);
      Optional<Path> state = state(cloud);
      List<String> removed = cloud.setup().teardown(queue, stack, () -> instances(left));
      state.ifPresent(TeardownCommand::forget);
      print
          .shown()
          .result(
              true,
              removed.isEmpty()
                  ? "cluster %s: nothing to remove, because no queue or table of that name exists%s"
                      .formatted(queue, cloud.setup().clusters())
                  : "cluster %s is gone: %s".formatted(queue, String.join(", ", removed)),
              () -> facts(removed));
    }
    return ExitCodes.SUCCESS;
  }

  private Map<String, Object> facts(List<String> removed) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("cluster", queue);
    facts.put("removed", removed);
    return facts;
  }

  /**
   * The folder in which provisioners on this machine kept their launches; empty if the cluster no
   * longer exists.
   */
  private Optional<Path> state(AwsCloud cloud) {
    try {
      Path base = StateFolder.base(System.getenv());
      return Optional.of(StateFolder.of(base, queue, cloud.address(queue)));
    } catch (MissingResourceException e) {
      return Optional.empty();
    }
  }

  private static void forget(Path state) {
    try {
      if (StateFolder.remove(state)) {
        System.err.printf("cloudkon teardown: removed its launches and logs, %s%n", state);
      }
    } catch (UncheckedIOException e) {
      System.err.printf(
          "cloudkon teardown: %s was not removed: %s; remove it by hand%n", state, e.getMessage());
    }
  }

  private void instances(LeftInstances left) {
    if (instances) {
      List<String> ended = left.end();
      if (!ended.isEmpty()) {
        System.err.printf("cloudkon teardown: ended %s%n", String.join(", ", ended));
      }
    } else if (left.mayExist()) {
      left.refuse(stack);
    }
  }

  private static void pause(Duration time) {
    ServiceWait.pause(time, () -> new CloudKonException("interrupted; the cluster is still there"));
  }

  private void confirm() throws IOException {
    System.err.printf(
        "Remove cluster %s with everything in it%s? Type its name: ",
        queue, instances ? ", and end its instances" : "");
    System.err.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    String answer = in.readLine();
    if (answer == null || !answer.strip().equals(queue)) {
      throw new UsageException("nothing was removed; type the cluster's name, or use --yes");
    }
  }
}
