package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ObjectOwnership;

/** Creates and removes the bucket, for a cluster. */
final class S3Admin {
  private static final Duration USABLE_WITHIN = Duration.ofSeconds(20);
  private static final int KEPT_DAYS = 15;
  private static final String RULE = "cloudkon-expire";
  private static final String OURS = "BucketAlreadyOwnedByYou";

  private static final String NO_POLICY = "NoSuchBucketPolicy";

  /** The only region that must not be named. */
  private static final String FIRST_REGION = "us-east-1";

  private final S3Client s3;
  private final Bucket bucket;
  private final String cluster;
  private final String region;

  S3Admin(S3Client s3, Bucket bucket, String cluster, String region) {
    this.s3 = s3;
    this.bucket = bucket;
    this.cluster = cluster;
    this.region = region;
  }

  /**
   * Creates the bucket if it does not exist, and returns when it can be used.
   *
   * @return whether it is new
   */
  boolean create() {
    if (exists()) {
      return false;
    }
    createNew();
    ServiceWait.until(
        USABLE_WITHIN,
        this::exists,
        () ->
            new CloudKonException(
                "bucket '%s' was created but does not answer".formatted(bucket.name())));
    return true;
  }

  private boolean exists() {
    return call("HeadBucket")
        .make(() -> {
          try {
            s3.headBucket(b -> b.bucket(bucket.name()).expectedBucketOwner(bucket.owner()));
            return true;
          } catch (AwsServiceException e) {
            if (e.statusCode() == 404) {
              return false;
            }
            throw e;
          }
        });
  }

  private void createNew() {
    CreateBucketRequest.Builder request =
        CreateBucketRequest.builder()
            .bucket(bucket.name())
            .objectOwnership(ObjectOwnership.BUCKET_OWNER_ENFORCED);
    if (!region.equals(FIRST_REGION)) {
      request.createBucketConfiguration(
          CreateBucketConfiguration.builder().locationConstraint(region).build());
    }
    call("CreateBucket")
        .make(() -> {
          try {
            return s3.createBucket(request.build());
          } catch (AwsServiceException e) {
            if (code(e).equals(OURS)) {
              return ""; // made meanwhile, or by an attempt whose answer was lost
            }
            throw e;
          }
        });
  }

  /** Whether the bucket has a policy; true also if the service knows none. */
  boolean hasPolicy() {
    return call("GetBucketPolicy")
        .make(() -> {
          try {
            s3.getBucketPolicy(b -> b.bucket(bucket.name()).expectedBucketOwner(bucket.owner()));
            return true;
          } catch (AwsServiceException e) {
            if (code(e).equals(NO_POLICY)) {
              return false;
            }
            if (isUnknown(e)) {
              return true;
            }
            throw e;
          }
        });
  }

  /** Blocks public access, regardless of the objects' settings. */
  void blockPublicAccess() {
    ifKnown(
        "PutPublicAccessBlock",
        () ->
            s3.putPublicAccessBlock(b ->
                b.bucket(bucket.name())
                    .expectedBucketOwner(bucket.owner())
                    .publicAccessBlockConfiguration(c ->
                        c.blockPublicAcls(true)
                            .ignorePublicAcls(true)
                            .blockPublicPolicy(true)
                            .restrictPublicBuckets(true))));
  }

  /** Refuses requests without TLS. */
  void tlsOnly() {
    String arn =
        "arn:%s:s3:::%s".formatted(PartitionMetadata.of(Region.of(region)).id(), bucket.name());
    ifKnown(
        "PutBucketPolicy",
        () ->
            s3.putBucketPolicy(b ->
                b.bucket(bucket.name()).expectedBucketOwner(bucket.owner()).policy(tlsOnly(arn))));
  }

  private static String tlsOnly(String arn) {
    return """
    {"Version": "2012-10-17", "Statement": [{
      "Sid": "TlsOnly", "Effect": "Deny", "Principal": "*", "Action": "s3:*",
      "Resource": ["%s", "%s/*"],
      "Condition": {"Bool": {"aws:SecureTransport": "false"}}}]}
    """
        .formatted(arn, arn);
  }

  /** Adds the rule by which objects expire, if it does not exist; other rules are kept. */
  void expire() {
    List<LifecycleRule> rules = new ArrayList<>(rules());
    if (rules.stream().anyMatch(S3Admin::expires)) {
      return;
    }
    rules.removeIf(rule -> RULE.equals(rule.id()));
    rules.add(
        LifecycleRule.builder()
            .id(RULE)
            .status(ExpirationStatus.ENABLED)
            .filter(f -> f.prefix(""))
            .expiration(e -> e.days(KEPT_DAYS))
            .abortIncompleteMultipartUpload(a -> a.daysAfterInitiation(1))
            .build());
    ifKnown(
        "PutBucketLifecycleConfiguration",
        () ->
            s3.putBucketLifecycleConfiguration(b ->
                b.bucket(bucket.name())
                    .expectedBucketOwner(bucket.owner())
                    .lifecycleConfiguration(c -> c.rules(rules))));
  }

  private static boolean expires(LifecycleRule rule) {
    return RULE.equals(rule.id())
        && rule.status() == ExpirationStatus.ENABLED
        && rule.expiration() != null
        && Objects.equals(rule.expiration().days(), KEPT_DAYS);
  }

  private List<LifecycleRule> rules() {
    return call("GetBucketLifecycleConfiguration")
        .make(() -> {
          try {
            return s3.getBucketLifecycleConfiguration(
                    b -> b.bucket(bucket.name()).expectedBucketOwner(bucket.owner()))
                .rules();
          } catch (AwsServiceException e) {
            if (e.statusCode() == 404 || isUnknown(e)) {
              return List.of();
            }
            throw e;
          }
        });
  }

  /**
   * Makes a call that emulators may lack: they report this, or treat the call as the creation of
   * the bucket.
   */
  private void ifKnown(String operation, Supplier<?> request) {
    call(operation)
        .make(() -> {
          try {
            return request.get();
          } catch (AwsServiceException e) {
            if (isUnknown(e)) {
              return "";
            }
            throw e;
          }
        });
  }

  private static boolean isUnknown(AwsServiceException e) {
    return e.statusCode() == 501 || e.statusCode() == 405 || code(e).equals(OURS);
  }

  /** Removes the bucket if it is empty; false if it is kept or does not exist. */
  boolean deleteIfEmpty() {
    return call("DeleteBucket")
        .make(() -> {
          try {
            s3.deleteBucket(b -> b.bucket(bucket.name()).expectedBucketOwner(bucket.owner()));
            return true;
          } catch (AwsServiceException e) {
            if (e.statusCode() == 404 || code(e).equals("BucketNotEmpty")) {
              return false;
            }
            throw e;
          }
        });
  }

  private AwsCall call(String operation) {
    return AwsCall.bucket(operation, bucket, cluster);
  }

  private static String code(AwsServiceException e) {
    @Nullable AwsErrorDetails details = e.awsErrorDetails();
    return details == null || details.errorCode() == null ? "" : details.errorCode();
  }
}
