package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.TransientServiceException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/**
 * The instances of a cluster, which its tag identifies. Those that its provisioners launched also
 * have the launch's tag; others were started by a user, for example as a worker from the stack's
 * template. Thread safe.
 */
public final class Instances {
  private static final int PAGE = 500;

  /** The number of instances that are terminated in one call; EC2 accepts up to a thousand. */
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
   * @param instance the instance
   * @param reason the reason of its state, as far as EC2 reports it
   */
  public record Listed(LaunchedInstance instance, String reason) {
    /** Whether a provisioner launched it. */
    public boolean launched() {
      return !instance.launch().isEmpty();
    }
  }

  /**
   * The instances that provisioners launched, as {@link #listAll} lists them.
   *
   * @throws TransientServiceException if EC2 does not answer
   */
  public List<Listed> list() {
    return listAll().stream().filter(Listed::launched).toList();
  }

  /**
   * All instances with the cluster's tag, whoever launched them. EC2 lists ended ones for about an
   * hour, and one that was just launched may be missing.
   *
   * @throws TransientServiceException if EC2 does not answer
   */
  public List<Listed> listAll() {
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

  /** The name of a purchase option in a {@link LaunchedInstance}. */
  static String lifeCycle(Purchase purchase) {
    return purchase == Purchase.SPOT ? "spot" : "on-demand";
  }

  /**
   * The state of an instance. One that was stopped still exists; because it has no live worker, it
   * is ended in time.
   */
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
   * Ends instances. Ended instances, and ids that EC2 does not know, are not a failure: a new
   * instance may not be known everywhere yet, and is listed later if it exists.
   *
   * @throws TransientServiceException if EC2 is overloaded or does not answer; some of them may
   *     have been ended
   * @throws DeniedException if some are protected, or these credentials may not end them; the
   *     message names them, and the others have been ended
   */
  public void terminate(List<String> ids) {
    Map<String, SdkException> forbidden = new LinkedHashMap<>();
    for (int from = 0; from < ids.size(); from += BATCH) {
      List<String> batch = ids.subList(from, Math.min(ids.size(), from + BATCH));
      boolean unused = terminateBatch(batch, forbidden);
    }
    refuse(forbidden);
  }

  /**
   * Ends one instance.
   *
   * @return whether EC2 knew it; an instance that was just launched may not be known everywhere yet
   * @throws io.cloudkon.core.error.CloudKonException as {@link #terminate(List)}
   */
  public boolean terminate(String id) {
    Map<String, SdkException> forbidden = new LinkedHashMap<>();
    boolean known = terminateBatch(List.of(id), forbidden);
    refuse(forbidden);
    return known;
  }

  private void refuse(Map<String, SdkException> forbidden) {
    if (!forbidden.isEmpty()) {
      String ids = String.join(", ", forbidden.keySet());
      throw calls.explain(
          "TerminateInstances", "instance", ids, forbidden.values().iterator().next());
    }
  }

  /**
   * Ends a batch. One id that is unknown, protected or forbidden makes the whole call fail, so the
   * rest is tried in halves.
   *
   * @param forbidden receives those that may not be ended, with the reason
   * @return whether all were known
   */
  private boolean terminateBatch(List<String> ids, Map<String, SdkException> forbidden) {
    TerminateInstancesRequest request =
        TerminateInstancesRequest.builder().instanceIds(ids).build();
    try {
      var unused = calls.raw(ec2 -> ec2.terminateInstances(request));
      return true;
    } catch (SdkException e) {
      boolean single =
          e instanceof Ec2Exception answer
              && (Ec2Calls.unknown(answer) || Ec2Calls.forbidden(answer));
      if (!single) {
        throw calls.explain("TerminateInstances", "instance", String.join(", ", ids), e);
      }
      if (ids.size() > 1) {
        boolean first = terminateBatch(ids.subList(0, ids.size() / 2), forbidden);
        return terminateBatch(ids.subList(ids.size() / 2, ids.size()), forbidden) && first;
      }
      if (Ec2Calls.forbidden((Ec2Exception) e)) {
        forbidden.put(ids.getFirst(), e);
        return true;
      }
      return false;
    }
  }
}
