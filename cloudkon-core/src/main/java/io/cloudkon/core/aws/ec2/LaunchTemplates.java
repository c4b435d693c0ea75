package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.model.DescribeLaunchTemplateVersionsRequest;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateInstanceMetadataTagsState;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateVersion;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.ResponseLaunchTemplateData;
import software.amazon.awssdk.services.ec2.model.ShutdownBehavior;

/** Looks up launch templates. Thread safe. */
public final class LaunchTemplates {
  /** The version that is a template's default: its first one, unless somebody has changed that. */
  public static final String DEFAULT = "$Default";

  /** The newest version of a template. */
  public static final String LATEST = "$Latest";

  private static final String OPERATION = "DescribeLaunchTemplateVersions";
  private static final String KIND = "launch template";
  private static final String ID_PREFIX = "lt-";

  private final Ec2Calls calls;

  /** Makes no call yet. */
  public LaunchTemplates(Ec2Service ec2) {
    this.calls = new Ec2Calls(ec2);
  }

  /**
   * One version of a template; empty if there is no such template or version.
   *
   * @param template its id or name
   * @param version a number, {@link #LATEST} or {@link #DEFAULT}
   * @throws DeniedException if these credentials may not describe templates
   */
  public Optional<LaunchTemplate> find(String template, String version) {
    DescribeLaunchTemplateVersionsRequest.Builder request =
        DescribeLaunchTemplateVersionsRequest.builder().versions(version);
    DescribeLaunchTemplateVersionsRequest asked =
        (template.startsWith(ID_PREFIX)
                ? request.launchTemplateId(template)
                : request.launchTemplateName(template))
            .build();
    try {
      return calls
          .raw(ec2 -> ec2.describeLaunchTemplateVersions(asked))
          .launchTemplateVersions()
          .stream()
          .findFirst()
          .map(LaunchTemplates::template);
    } catch (SdkException e) {
      if (e instanceof Ec2Exception answer && missing(answer)) {
        return Optional.empty();
      }
      throw calls.explain(OPERATION, KIND, template, e);
    }
  }

  private static boolean missing(Ec2Exception e) {
    return Ec2Calls.code(e).startsWith("InvalidLaunchTemplate");
  }

  private static LaunchTemplate template(LaunchTemplateVersion found) {
    @Nullable ResponseLaunchTemplateData data = found.launchTemplateData();
    return new LaunchTemplate(
        found.launchTemplateId(),
        Long.toString(found.versionNumber()),
        data == null || data.instanceTypeAsString() == null ? "" : data.instanceTypeAsString(),
        data != null && data.instanceInitiatedShutdownBehavior() == ShutdownBehavior.TERMINATE,
        data != null
            && data.metadataOptions() != null
            && data.metadataOptions().instanceMetadataTags()
                == LaunchTemplateInstanceMetadataTagsState.ENABLED,
        data != null
            && data.tagSpecifications().stream()
                .anyMatch(tags -> tags.resourceType() == ResourceType.SPOT_INSTANCES_REQUEST));
  }
}
