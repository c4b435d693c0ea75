package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.TransientServiceException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesResponse;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.Reservation;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TerminateInstancesRequest;

/** The instances of a cluster, known by their tag. Thread safe. */
public final class Instances {
  private static final int PAGE = 500;

  /** Terminated together; EC2 takes up to a thousand. */
  private static final int BATCH = 100;

  private final Ec2Calls calls;
  private final String cluster;

  /** Makes no call yet. */
  public Instances(Ec2Service ec2, String cluster) {
    this.calls = new Ec2Calls(ec2);
    this.cluster = cluster;
  }

  /**
   * An instance as EC2 lists it.
   *
   * @param instance what it is
   * @param reason why it is in its state, as far as EC2 says
   */
  public record Listed(LaunchedInstance instance, String reason) {}

  /**
   * All that EC2 lists: ended ones for about an hour, and one that was just launched may be
   * missing.
   *
   * @throws TransientServiceException if EC2 does not answer
   */
  public List<Listed> list() {
    List<Listed> all = new ArrayList<>();
    Filter ours = Filter.builder().name("tag:" + ClusterTags.CLUSTER).values(cluster).build();
    @Nullable String next = null;
    do {
      DescribeInstancesRequest request =
          DescribeInstancesRequest.builder().filters(ours).maxResults(PAGE).nextToken(next).build();
      DescribeInstancesResponse page =
          calls.make(
              "DescribeInstances", "cluster", cluster, ec2 -> ec2.describeInstances(request));
      for (Reservation reservation : page.reservations()) {
        reservation.instances().forEach(instance -> all.add(listed(instance)));
      }
      next = page.nextToken();
    } while (next != null && !next.isEmpty());
    return all;
  }

  private static Listed listed(Instance instance) {
    LaunchedInstance known =
        new LaunchedInstance(
            instance.instanceId(),
            tag(instance, ClusterTags.LAUNCH),
            instance.instanceTypeAsString() == null ? "" : instance.instanceTypeAsString(),
            instance.instanceLifecycleAsString() == null
                ? lifeCycle(Purchase.ON_DEMAND)
                : instance.instanceLifecycleAsString(),
            state(instance),
            instance.launchTime() == null ? 0 : instance.launchTime().toEpochMilli());
    String reason = instance.stateReason() == null ? "" : text(instance.stateReason().message());
    return new Listed(known, reason.isEmpty() ? text(instance.stateTransitionReason()) : reason);
  }

  private static String tag(Instance instance, String key) {
    return instance.tags().stream()
        .filter(tag -> key.equals(tag.key()))
        .map(Tag::value)
        .findFirst()
        .orElse("");
  }

  private static String text(@Nullable String said) {
    return said == null ? "" : LaunchErrors.line(said);
  }

  /** How a {@link LaunchedInstance} calls it. */
  static String lifeCycle(Purchase purchase) {
    return purchase == Purchase.SPOT ? "spot" : "on-demand";
  }

  /** One that was stopped still exists; as nobody works there, it is ended in time. */
  private static State state(Instance instance) {
    if (instance.state() == null || instance.state().name() == null) {
      return State.RUNNING;
    }
    return switch (instance.state().name()) {
      case PENDING -> State.PENDING;
      case RUNNING, STOPPING, STOPPED, UNKNOWN_TO_SDK_VERSION -> State.RUNNING;
      case SHUTTING_DOWN -> State.ENDING;
      case TERMINATED -> State.ENDED;
    };
  }

  /**
   * Ends instances. Those that have ended, and ids that EC2 does not know, are no failure: a new
   * instance may not be known everywhere yet, and is seen again if it is there.
   *
   * @throws TransientServiceException if EC2 has too much to do, or does not answer: some of them
   *     may have been ended
   * @throws DeniedException if these credentials may not end them
   */
  public void terminate(List<String> ids) {
    for (int from = 0; from < ids.size(); from += BATCH) {
      boolean unused = terminateBatch(ids.subList(from, Math.min(ids.size(), from + BATCH)));
    }
  }

  /**
   * Ends one instance.
   *
   * @return whether EC2 knew it: one that was just launched may not be known everywhere yet
   * @throws io.cloudkon.core.error.CloudKonException as {@link #terminate(List)}
   */
  public boolean terminate(String id) {
    return terminateBatch(List.of(id));
  }

  /**
   * One unknown id fails all that are named with it, so the rest is tried in halves.
   *
   * @return whether all were known
   */
  private boolean terminateBatch(List<String> ids) {
    TerminateInstancesRequest request =
        TerminateInstancesRequest.builder().instanceIds(ids).build();
    try {
      var unused = calls.raw(ec2 -> ec2.terminateInstances(request));
      return true;
    } catch (SdkException e) {
      if (!(e instanceof Ec2Exception answer && Ec2Calls.unknown(answer))) {
        throw calls.explain("TerminateInstances", "instance", String.join(", ", ids), e);
      }
      if (ids.size() > 1) {
        boolean unused = terminateBatch(ids.subList(0, ids.size() / 2));
        unused = terminateBatch(ids.subList(ids.size() / 2, ids.size()));
      }
      return false;
    }
  }
}
