package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.TransientServiceException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.model.CreateFleetError;
import software.amazon.awssdk.services.ec2.model.CreateFleetInstance;
import software.amazon.awssdk.services.ec2.model.CreateFleetRequest;
import software.amazon.awssdk.services.ec2.model.CreateFleetResponse;
import software.amazon.awssdk.services.ec2.model.DefaultTargetCapacityType;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateConfigRequest;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateOverrides;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateOverridesRequest;
import software.amazon.awssdk.services.ec2.model.FleetOnDemandAllocationStrategy;
import software.amazon.awssdk.services.ec2.model.FleetType;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.SpotAllocationStrategy;

/**
 * Launches instances with fleets of type {@code instant}: a single answer contains what was granted
 * and what was refused, and nothing is launched later. Thread safe.
 */
public final class Fleets {
  private static final String OPERATION = "CreateFleet";
  private static final String TEMPLATE = "launch template";

  private final Ec2Calls calls;

  /** Makes no call yet. */
  public Fleets(Ec2Service ec2) {
    this.calls = new Ec2Calls(ec2);
  }

  /**
   * Launches an order; a repeated call with the same order returns the first answer.
   *
   * @param now the current time in epoch milliseconds, which EC2's answer does not contain
   * @throws TransientServiceException if it is unknown whether it happened, or EC2 is overloaded;
   *     the same order may be repeated
   */
  public FleetAnswer create(FleetOrder order, long now) {
    CreateFleetRequest request = request(order);
    try {
      CreateFleetResponse answer = calls.raw(ec2 -> ec2.createFleet(request));
      return new FleetAnswer(granted(answer, order, now), refusals(answer, order));
    } catch (Ec2Exception e) {
      return refused(order, e);
    } catch (SdkException e) {
      throw calls.explain(OPERATION, TEMPLATE, order.template(), e);
    }
  }

  /**
   * Interprets an error: some refusals of a whole order are reported as an error, and a lack of
   * capacity even with a server error status.
   */
  private FleetAnswer refused(FleetOrder order, Ec2Exception e) {
    Failure failure = LaunchErrors.failure(Ec2Calls.code(e), Ec2Calls.message(e));
    CloudKonException explained = calls.explain(OPERATION, TEMPLATE, order.template(), e);
    boolean passing =
        switch (failure.kind()) {
          case CAPACITY -> false;
          // Without a code of EC2's own, a gateway may have answered, and the call been carried
          // out.
          case QUOTA -> explained instanceof TransientServiceException && failure.code().isEmpty();
          case THROTTLE -> true;
          case CONFIGURATION -> explained instanceof TransientServiceException;
        };
    if (passing) {
      throw explained instanceof TransientServiceException
          ? explained
          : new TransientServiceException(String.valueOf(explained.getMessage()), e);
    }
    return new FleetAnswer(List.of(), List.of(new FleetAnswer.Refusal(order.pools(), failure)));
  }

  private static CreateFleetRequest request(FleetOrder order) {
    CreateFleetRequest.Builder request =
        CreateFleetRequest.builder()
            .clientToken(order.token())
            .type(FleetType.INSTANT)
            .launchTemplateConfigs(
                FleetLaunchTemplateConfigRequest.builder()
                    .launchTemplateSpecification(
                        s -> s.launchTemplateId(order.template()).version(order.version()))
                    .overrides(overrides(order.pools()))
                    .build())
            .tagSpecifications(
                ClusterTags.of(ResourceType.FLEET, order.cluster(), order.token()),
                ClusterTags.of(ResourceType.INSTANCE, order.cluster(), order.token()));
    switch (order.purchase()) {
      case SPOT ->
          request
              .targetCapacitySpecification(t ->
                  t.totalTargetCapacity(order.count())
                      .defaultTargetCapacityType(DefaultTargetCapacityType.SPOT))
              .spotOptions(
                  s -> s.allocationStrategy(SpotAllocationStrategy.PRICE_CAPACITY_OPTIMIZED));
      case ON_DEMAND ->
          request
              .targetCapacitySpecification(t ->
                  t.totalTargetCapacity(order.count())
                      .defaultTargetCapacityType(DefaultTargetCapacityType.ON_DEMAND))
              .onDemandOptions(
                  o -> o.allocationStrategy(FleetOnDemandAllocationStrategy.PRIORITIZED));
    }
    return request.build();
  }

  /** The types in the order of the pools; all subnets of a type have the same priority. */
  private static List<FleetLaunchTemplateOverridesRequest> overrides(List<Pool> pools) {
    Map<String, Double> priorities = new LinkedHashMap<>();
    List<FleetLaunchTemplateOverridesRequest> overrides = new ArrayList<>();
    for (Pool pool : pools) {
      double priority = priorities.computeIfAbsent(pool.type(), type -> (double) priorities.size());
      overrides.add(
          FleetLaunchTemplateOverridesRequest.builder()
              .instanceType(pool.type())
              .subnetId(pool.subnet().isEmpty() ? null : pool.subnet())
              .priority(priority)
              .build());
    }
    return overrides;
  }

  private static List<LaunchedInstance> granted(
      CreateFleetResponse answer, FleetOrder order, long now) {
    List<LaunchedInstance> granted = new ArrayList<>();
    for (CreateFleetInstance some : answer.instances()) {
      String lifeCycle =
          some.lifecycleAsString() == null
              ? Instances.lifeCycle(order.purchase())
              : some.lifecycleAsString();
      for (String id : some.instanceIds()) {
        granted.add(
            new LaunchedInstance(
                id,
                order.token(),
                some.instanceTypeAsString() == null ? "" : some.instanceTypeAsString(),
                lifeCycle,
                LaunchedInstance.State.PENDING,
                now));
      }
    }
    return granted;
  }

  private static List<FleetAnswer.Refusal> refusals(CreateFleetResponse answer, FleetOrder order) {
    return answer.errors().stream()
        .map(error ->
            new FleetAnswer.Refusal(
                pools(error, order),
                LaunchErrors.failure(
                    error.errorCode() == null ? "unknown" : error.errorCode(),
                    error.errorMessage() == null ? "" : error.errorMessage())))
        .toList();
  }

  private static List<Pool> pools(CreateFleetError error, FleetOrder order) {
    if (error.launchTemplateAndOverrides() == null
        || error.launchTemplateAndOverrides().overrides() == null) {
      return order.pools();
    }
    FleetLaunchTemplateOverrides named = error.launchTemplateAndOverrides().overrides();
    List<Pool> matching =
        order.pools().stream()
            .filter(pool ->
                matches(pool.type(), named.instanceTypeAsString())
                    && matches(pool.subnet(), named.subnetId()))
            .toList();
    return matching.isEmpty() ? order.pools() : matching;
  }

  private static boolean matches(String ours, @Nullable String named) {
    return named == null || named.isEmpty() || ours.isEmpty() || ours.equals(named);
  }
}
