package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.model.DescribeInstanceTypesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeSubnetsRequest;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.InstanceTypeInfo;
import software.amazon.awssdk.services.ec2.model.MarketType;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.Subnet;

/** Queries EC2 about a launch before it is made. Thread safe. */
public final class LaunchFacts {
  /** The answer to a dry run that would have worked. */
  private static final String WOULD_WORK = "DryRunOperation";

  /** The launch tag of a dry run. */
  private static final String TRIAL = "trial";

  private final Ec2Calls calls;

  /** Makes no call yet. */
  public LaunchFacts(Ec2Service ec2) {
    this.calls = new Ec2Calls(ec2);
  }

  /**
   * The vCPUs of these instance types; a type that does not exist in the region is left out.
   *
   * @throws DeniedException if these credentials may not ask
   */
  public Map<String, Integer> vcpus(List<String> types) {
    Map<String, Integer> found = new HashMap<>();
    for (String type : types) {
      // One by one, because a type that does not exist makes the whole call fail.
      DescribeInstanceTypesRequest request =
          DescribeInstanceTypesRequest.builder().instanceTypesWithStrings(type).build();
      try {
        for (InstanceTypeInfo info :
            calls.raw(ec2 -> ec2.describeInstanceTypes(request)).instanceTypes()) {
          found.put(type, info.vCpuInfo() == null ? 0 : info.vCpuInfo().defaultVCpus());
        }
      } catch (SdkException e) {
        if (!(e instanceof Ec2Exception answer && answer.statusCode() == 400 && bad(answer))) {
          throw calls.explain("DescribeInstanceTypes", "instance type", type, e);
        }
      }
    }
    return found;
  }

  private static boolean bad(Ec2Exception e) {
    String code = Ec2Calls.code(e);
    return code.equals("InvalidInstanceType") || code.equals("InvalidParameterValue");
  }

  /**
   * The state of a subnet.
   *
   * @param freeAddresses the number of its free addresses
   * @param zone the name of its zone; empty if EC2 does not say
   */
  public record SubnetState(int freeAddresses, String zone) {}

  /**
   * The state of each of these subnets; a subnet that does not exist is left out.
   *
   * @throws DeniedException if these credentials may not ask
   */
  public Map<String, SubnetState> subnets(List<String> subnets) {
    Map<String, SubnetState> found = new HashMap<>();
    for (String subnet : subnets) {
      DescribeSubnetsRequest request = DescribeSubnetsRequest.builder().subnetIds(subnet).build();
      try {
        for (Subnet one : calls.raw(ec2 -> ec2.describeSubnets(request)).subnets()) {
          found.put(subnet, state(one));
        }
      } catch (SdkException e) {
        if (!(e instanceof Ec2Exception answer && Ec2Calls.unknown(answer))) {
          throw calls.explain("DescribeSubnets", "subnet", subnet, e);
        }
      }
    }
    return found;
  }

  private static SubnetState state(Subnet subnet) {
    return new SubnetState(
        subnet.availableIpAddressCount() == null ? 0 : subnet.availableIpAddressCount(),
        subnet.availabilityZone() == null ? "" : subnet.availabilityZone());
  }

  /**
   * Checks whether an instance of a template could be launched, by a call that launches nothing.
   * The call is RunInstances, because CreateFleet makes this call in the caller's name, and some
   * emulators carry out a dry run of CreateFleet.
   *
   * @param cluster the cluster for the tags of the instance
   * @return why it could not be launched, such as a missing permission or a wrong parameter; empty
   *     if it could
   */
  public Optional<Failure> trial(String cluster, LaunchTemplate template, Pool pool) {
    return tried(template, trialOf(cluster, template, pool).build());
  }

  /**
   * Checks in the same way whether it could be a Spot instance: whether the account has the role
   * for it, and these credentials the permission for {@code spot-instances-request}.
   *
   * @return why it could not be launched; empty if it could
   */
  public Optional<Failure> spotTrial(String cluster, LaunchTemplate template, Pool pool) {
    RunInstancesRequest request =
        trialOf(cluster, template, pool)
            .instanceMarketOptions(m -> m.marketType(MarketType.SPOT))
            .build();
    return tried(template, request);
  }

  private static RunInstancesRequest.Builder trialOf(
      String cluster, LaunchTemplate template, Pool pool) {
    RunInstancesRequest.Builder request =
        RunInstancesRequest.builder()
            .dryRun(true)
            .minCount(1)
            .maxCount(1)
            .launchTemplate(t -> t.launchTemplateId(template.id()).version(template.version()))
            .tagSpecifications(ClusterTags.of(ResourceType.INSTANCE, cluster, TRIAL))
            .instanceType(pool.type());
    if (!pool.subnet().isEmpty()) {
      request.subnetId(pool.subnet());
    }
    return request;
  }

  private Optional<Failure> tried(LaunchTemplate template, RunInstancesRequest asked) {
    try {
      boolean unused = calls.raw(ec2 -> ec2.runInstances(asked)).hasInstances();
      return Optional.empty();
    } catch (SdkException e) {
      return failure(template, e);
    }
  }

  private Optional<Failure> failure(LaunchTemplate template, SdkException e) {
    if (!(e instanceof Ec2Exception answer)) {
      throw calls.explain("RunInstances", "launch template", template.id(), e);
    }
    Failure failure = LaunchErrors.failure(Ec2Calls.code(answer), Ec2Calls.message(answer));
    boolean wrong =
        failure.kind() == Failure.Kind.CONFIGURATION
            && !failure.code().equals(WOULD_WORK)
            // A fleet accepts a subnet in addition to a template's network interface; this call
            // does not.
            && !failure.code().equals("InvalidParameterCombination")
            && answer.statusCode() < 500;
    return wrong ? Optional.of(failure) : Optional.empty();
  }
}
