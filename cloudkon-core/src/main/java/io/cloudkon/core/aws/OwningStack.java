package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.process.Launcher;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The CloudFormation stack that created a cluster, according to the tags of its request queue. A
 * deleted stack leaves queues, tables and bucket behind, with their tags.
 */
final class OwningStack {
  /** CloudFormation's own tag, and the one of infra/cloudkon.yaml where an emulator sets none. */
  private static final List<String> TAGS =
      List.of("aws:cloudformation:stack-name", "cloudkon:stack");

  private final SqsClient sqs;

  OwningStack(SqsClient sqs) {
    this.sqs = sqs;
  }

  /** The stack that created a queue; empty if {@code setup} did. Makes one call. */
  Optional<String> of(String queue, String url) {
    Map<String, String> tags =
        AwsCall.queue("ListQueueTags", queue)
            .make(() -> sqs.listQueueTags(b -> b.queueUrl(url)).tags());
    return TAGS.stream().map(tags::get).filter(Objects::nonNull).findFirst();
  }

  /**
   * Ensures that the user has named no other stack than the one that created the cluster.
   *
   * @param owner the stack that created it
   * @param deleted the stack that the user has named as deleted; null if none was named
   * @throws UsageException if another one was named
   */
  static void checkNamed(String cluster, String owner, @Nullable String deleted) {
    if (deleted != null && !deleted.equals(owner)) {
      throw new UsageException(
          "--stack %s: cluster '%s' belongs to stack '%s'; nothing was removed"
              .formatted(deleted, cluster, owner));
    }
  }

  /**
   * Ensures that a cluster of a stack may be removed, because the user has named the stack as
   * deleted.
   *
   * @param owner the stack that created it
   * @param deleted the stack that the user has named as deleted; null if none was named
   * @throws CloudKonException if none was named
   */
  static void checkDeleted(String cluster, String owner, @Nullable String deleted) {
    if (deleted == null) {
      throw new CloudKonException(
          ("cluster '%s' belongs to stack '%s': delete that first, with: aws cloudformation"
                  + " delete-stack --stack-name %s; then remove what it leaves behind with:"
                  + " %s teardown -s %s --stack %s")
              .formatted(cluster, owner, owner, Launcher.name(), cluster, owner));
    }
  }
}
