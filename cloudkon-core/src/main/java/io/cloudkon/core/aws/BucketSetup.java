package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bucket's part in creating and removing a cluster. A cluster works without a bucket, and a
 * user without permissions for S3 must be able to create and remove one nevertheless: failures are
 * reported as a one-line warning.
 */
final class BucketSetup {
  private static final Logger LOG = LoggerFactory.getLogger(BucketSetup.class);

  private final AwsCloud cloud;
  private final SqsAdmin queues;

  BucketSetup(AwsCloud cloud, SqsAdmin queues) {
    this.cloud = cloud;
    this.queues = queues;
  }

  /**
   * Creates the bucket if it does not exist.
   *
   * @param queueUrl the address of one of the cluster's queues
   * @return its name; empty if there is no bucket
   */
  Optional<String> create(String cluster, String queueUrl) {
    try {
      Bucket bucket = cloud.bucket(() -> queueUrl);
      S3Admin admin = admin(bucket, cluster);
      boolean made = admin.create();
      configure(admin, bucket, made);
      return Optional.of(bucket.name());
    } catch (CloudKonException e) {
      LOG.warn(
          "cluster '{}' has no bucket, so payloads over 1 MiB and --ship will not work: {}",
          cluster,
          e.getMessage());
      return Optional.empty();
    }
  }

  /** Configures a new bucket; one that the user provided is not changed. */
  private void configure(S3Admin admin, Bucket bucket, boolean made) {
    try {
      configure(admin, made, bucket.isDefault(), cloud.clients().s3().isEncrypted());
    } catch (CloudKonException e) {
      LOG.warn(
          "bucket '{}' can be used, but not all of its settings could be made; repeat the setup"
              + " with the permissions of docs/operations.md: {}",
          bucket.name(),
          e.getMessage());
    }
  }

  /**
   * Makes the settings of a bucket. A default bucket without a policy counts as new: the setup that
   * created it ended too early.
   *
   * @param ours whether it is the default bucket
   * @param encrypted whether S3 is addressed with TLS
   */
  static void configure(S3Admin admin, boolean made, boolean ours, boolean encrypted) {
    if (made || ours) {
      admin.expire();
    }
    if (made || (ours && encrypted && !admin.hasPolicy())) {
      admin.blockPublicAccess();
      if (encrypted) {
        admin.tlsOnly();
      }
    }
  }

  /**
   * Removes the cluster's objects, and the default bucket if it is then empty and no other cluster
   * uses it.
   *
   * @param queueUrl the address of one of the cluster's queues
   * @return its name in the list of removed resources; empty if it is kept, or there is none
   */
  Optional<String> remove(String cluster, String queueUrl) {
    LazyS3 s3 = cloud.clients().s3();
    if (!s3.isReachable()) {
      return Optional.empty();
    }
    try {
      Bucket bucket = cloud.bucket(() -> queueUrl);
      new AwsBlobStore(s3, () -> bucket, cluster).removeAll("");
      boolean gone =
          bucket.isDefault() && isLast(cluster) && admin(bucket, cluster).deleteIfEmpty();
      return gone ? Optional.of("bucket " + bucket.name()) : Optional.empty();
    } catch (CloudKonException e) {
      LOG.warn(
          "objects of cluster '{}' may be left in the bucket, where they expire: {}",
          cluster,
          e.getMessage());
      return Optional.empty();
    }
  }

  private boolean isLast(String cluster) {
    Set<String> all = new HashSet<>(queues.list(""));
    return all.stream()
        .noneMatch(queue -> !queue.equals(cluster) && all.contains(Names.dead(queue)));
  }

  private S3Admin admin(Bucket bucket, String cluster) {
    return new S3Admin(cloud.clients().s3().client(), bucket, cluster, cloud.region());
  }
}
