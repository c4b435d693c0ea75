package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.TransientServiceException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects of one cluster; lists, renews and removes many at a time.
 *
 * @param s3 the client
 * @param bucket the bucket
 * @param cluster the cluster
 */
record S3Objects(S3Client s3, Bucket bucket, String cluster) {
  private static final int PAGE = 1000;

  /** How long a page of a listing may take, with a second attempt. */
  private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration PAGE_ATTEMPT_TIMEOUT = Duration.ofSeconds(14);

  private static final Set<String> PASSING =
      Set.of("InternalError", "SlowDown", "ServiceUnavailable");

  /** The object's key in the bucket. */
  String key(String blob) {
    return cluster + '/' + blob;
  }

  AwsCall call(String operation) {
    return AwsCall.bucket(operation, bucket, cluster);
  }

  /** The keys of the blobs with this prefix, in ascending order. */
  List<String> list(String prefix) {
    List<String> keys = new ArrayList<>();
    @Nullable String next = null;
    do {
      ListObjectsV2Response page = page(prefix, next);
      for (S3Object object : page.contents()) {
        keys.add(object.key().substring(cluster.length() + 1));
      }
      next = page.nextContinuationToken();
    } while (next != null);
    keys.sort(null);
    return List.copyOf(keys);
  }

  /**
   * Copies each object with this key prefix onto itself that has not changed since the given time,
   * so that S3 counts its age from now.
   */
  int renew(String prefix, Instant before) {
    int renewed = 0;
    @Nullable String next = null;
    do {
      ListObjectsV2Response page = page(prefix, next);
      for (S3Object object : page.contents()) {
        if (object.lastModified().isBefore(before) && copyOntoItself(object.key(), before)) {
          renewed++;
        }
      }
      next = page.nextContinuationToken();
    } while (next != null);
    return renewed;
  }

  /**
   * Copies an object onto itself; false if it does not exist. S3 refuses such a copy unless it
   * changes something of the object.
   */
  private boolean copyOntoItself(String key, Instant mark) {
    CopyObjectRequest request =
        CopyObjectRequest.builder()
            .sourceBucket(bucket.name())
            .sourceKey(key)
            .expectedSourceBucketOwner(bucket.owner())
            .destinationBucket(bucket.name())
            .destinationKey(key)
            .expectedBucketOwner(bucket.owner())
            .metadataDirective(MetadataDirective.REPLACE)
            .metadata(Map.of("renewed", mark.toString()))
            .contentType(AwsBlobStore.TYPE)
            .build();
    return call("CopyObject")
        .make(() -> {
          try {
            var unused = s3.copyObject(request);
            return true;
          } catch (NoSuchKeyException e) {
            return false;
          }
        });
  }

  /** Removes all objects with this key prefix. */
  void removeAll(String prefix) {
    boolean more;
    do {
      // from the start each time, because the previous page was removed
      ListObjectsV2Response page = page(prefix, null);
      if (!page.contents().isEmpty()) {
        remove(page.contents());
      }
      more = page.isTruncated() && !page.contents().isEmpty();
    } while (more);
  }

  private ListObjectsV2Response page(String prefix, @Nullable String token) {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(bucket.name())
            .expectedBucketOwner(bucket.owner())
            .prefix(key(prefix))
            .maxKeys(PAGE)
            .continuationToken(token)
            .overrideConfiguration(
                o -> o.apiCallTimeout(PAGE_TIMEOUT).apiCallAttemptTimeout(PAGE_ATTEMPT_TIMEOUT))
            .build();
    return call("ListObjectsV2").make(() -> s3.listObjectsV2(request));
  }

  private void remove(List<S3Object> objects) {
    List<ObjectIdentifier> keys =
        objects.stream().map(o -> ObjectIdentifier.builder().key(o.key()).build()).toList();
    DeleteObjectsRequest request =
        DeleteObjectsRequest.builder()
            .bucket(bucket.name())
            .expectedBucketOwner(bucket.owner())
            .delete(d -> d.objects(keys).quiet(true))
            .build();
    AwsCall call = call("DeleteObjects");
    List<S3Error> errors = call.make(() -> s3.deleteObjects(request)).errors();
    if (!errors.isEmpty()) {
      S3Error first = errors.getFirst();
      String message =
          "%s left %d object(s): %s %s"
              .formatted(call, errors.size(), first.code(), first.message());
      throw PASSING.contains(first.code())
          ? new TransientServiceException(message, null)
          : new CloudKonException(message);
    }
  }
}
