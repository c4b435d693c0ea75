package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.sqs.model.QueueDeletedRecentlyException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * One kind of call on one resource: makes it, and turns the SDK's exceptions into CloudKon's.
 *
 * @param operation service and operation: {@code sqs.SendMessageBatch}
 * @param kind "queue", "table" or "bucket"
 * @param resource its name
 * @param prefix the prefix of the cluster's part of it; empty if all of it belongs to the cluster
 * @param setupOptions the options of {@code cloudkon setup} that create it; null if its name
 *     contains that of the cluster
 * @param advice another possible reason of a refusal besides a policy; empty if there is none
 */
record AwsCall(
    String operation,
    String kind,
    String resource,
    String prefix,
    @Nullable String setupOptions,
    String advice) {
  private static final String NO_SUCH_BUCKET = "NoSuchBucket";

  /** Permissions whose names differ from the operation's. */
  private static final Map<String, String> PERMISSIONS =
      Map.ofEntries(
          Map.entry(
              "dynamodb.TransactWriteItems",
              "dynamodb:PutItem, dynamodb:UpdateItem and dynamodb:DeleteItem"),
          Map.entry("sqs.SendMessageBatch", "sqs:SendMessage"),
          Map.entry("sqs.DeleteMessageBatch", "sqs:DeleteMessage"),
          Map.entry("sqs.ChangeMessageVisibilityBatch", "sqs:ChangeMessageVisibility"),
          Map.entry("s3.HeadBucket", "s3:ListBucket"),
          Map.entry("s3.ListObjectsV2", "s3:ListBucket"),
          Map.entry("s3.DeleteObjects", "s3:DeleteObject"),
          Map.entry("s3.CopyObject", "s3:GetObject and s3:PutObject"),
          Map.entry("s3.PutPublicAccessBlock", "s3:PutBucketPublicAccessBlock"),
          Map.entry("s3.GetBucketLifecycleConfiguration", "s3:GetLifecycleConfiguration"),
          Map.entry("s3.PutBucketLifecycleConfiguration", "s3:PutLifecycleConfiguration"));

  /** Another write of the same item, or the same transaction, is under way. */
  private static final Set<String> CONFLICTS =
      Set.of("TransactionConflictException", "TransactionInProgressException");

  /**
   * The service did not receive the request in time or could not handle it now, which it does not
   * say by its status.
   */
  private static final Set<String> PASSING =
      Set.of(
          "InternalError",
          "KMS.ThrottlingException",
          "OperationAborted",
          "PriorRequestNotComplete",
          "RequestTimeout",
          "RequestTimeoutException");

  /** A policy does not allow it. */
  private static final Set<String> DENIED =
      Set.of(
          "AccessDenied",
          "AccessDeniedException",
          "AllAccessDisabled",
          "AuthorizationError",
          "KMS.AccessDeniedException",
          "KmsAccessDenied",
          "NotAuthorized",
          "OptInRequired");

  /** These credentials are not, or no longer, valid; later ones may be. */
  private static final Set<String> CREDENTIALS =
      Set.of(
          "ExpiredToken",
          "ExpiredTokenException",
          "IncompleteSignature",
          "InvalidAccessKeyId",
          "InvalidClientTokenId",
          "InvalidSecurity",
          "InvalidSignatureException",
          "InvalidToken",
          "MissingAuthenticationToken",
          "MissingAuthenticationTokenException",
          "RequestExpired",
          "SignatureDoesNotMatch",
          "TokenRefreshRequired",
          "UnrecognizedClientException");

  static AwsCall queue(String operation, String queue) {
    return new AwsCall("sqs." + operation, "queue", queue, "", null, "");
  }

  static AwsCall table(String operation, String table) {
    return new AwsCall("dynamodb." + operation, "table", table, "", null, "");
  }

  /** A call on the bucket, made for a cluster. */
  static AwsCall bucket(String operation, Bucket bucket, String cluster) {
    return new AwsCall(
        "s3." + operation,
        "bucket",
        bucket.name(),
        cluster,
        bucket.setupOptions(cluster),
        bucket.refusalAdvice());
  }

  /** Makes the call. */
  <T> T make(Supplier<T> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw explain(e);
    }
  }

  /** Translates an SDK exception. */
  CloudKonException explain(SdkException e) {
    return switch (e) {
      case QueueDoesNotExistException gone -> new MissingResourceException(kind, resource, gone);
      case ResourceNotFoundException gone -> new MissingResourceException(kind, resource, gone);
      case QueueDeletedRecentlyException recent ->
          new CloudKonException(
              this + " was refused: it was removed less than a minute ago; wait, then try again",
              recent);
      case AwsServiceException answer -> explainAnswer(answer);
      case SdkException unanswered -> explainSilence(unanswered);
    };
  }

  private CloudKonException explainAnswer(AwsServiceException e) {
    @Nullable AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null || details.errorCode() == null ? "" : details.errorCode();
    String said = details == null || details.errorMessage() == null ? "" : details.errorMessage();
    if (setupOptions != null && code.equals(NO_SUCH_BUCKET)) {
      return MissingResourceException.bucket(resource, setupOptions, e);
    }
    String answer = "HTTP %d %s %s".formatted(e.statusCode(), code, said).strip();
    if (e.isThrottlingException()
        || e.statusCode() >= 500
        || e.statusCode() == 408
        || e.statusCode() == 429
        || CONFLICTS.contains(code)
        || PASSING.contains(code)
        || e.isClockSkewException()) {
      return new TransientServiceException("%s failed temporarily: %s".formatted(this, answer), e);
    }
    if (CREDENTIALS.contains(code)) {
      return TransientServiceException.ofCredentials(
          "%s was denied: %s; check the credentials".formatted(this, answer), e);
    }
    if (e.statusCode() == 403 || DENIED.contains(code)) {
      return new RefusedException(permission(), kind, place(), answer, advice, e);
    }
    return new CloudKonException("%s was refused: %s".formatted(this, answer), e);
  }

  /** The resource as a policy names it: objects have a bucket and the cluster's prefix. */
  private String place() {
    return permission().endsWith("Object") ? resource + '/' + prefix + "/*" : resource;
  }

  private String permission() {
    return PERMISSIONS.getOrDefault(operation, operation.replace('.', ':'));
  }

  private CloudKonException explainSilence(SdkException e) {
    if (interrupted(e)) {
      // the caller's loop must see it: whether the call had its effect is unknown, as after any
      // lost answer
      Thread.currentThread().interrupt();
      return new TransientServiceException(this + " was interrupted", e);
    }
    if (e instanceof ApiCallTimeoutException
        || e instanceof ApiCallAttemptTimeoutException
        || cause(e, IOException.class)
        || e.retryable()) {
      return new TransientServiceException("%s got no answer: %s".formatted(this, root(e)), e);
    }
    String message = "%s could not be made: %s".formatted(this, e.getMessage());
    return ofCredentials(e)
        ? TransientServiceException.ofCredentials(message, e)
        : new CloudKonException(message, e);
  }

  /**
   * Whether the credentials are the problem, for which the SDK has no exception type. It is known
   * from the connection that there were credentials.
   */
  private static boolean ofCredentials(SdkException e) {
    return e instanceof SdkClientException
        && String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("credentials");
  }

  /** Whether the calling thread was interrupted in the call. */
  static boolean interrupted(Throwable e) {
    return Thread.currentThread().isInterrupted()
        || e instanceof AbortedException
        || cause(e, InterruptedException.class);
  }

  private static boolean cause(Throwable e, Class<? extends Throwable> type) {
    for (Throwable t = e.getCause(); t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }

  private static String root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return root.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  @Override
  public String toString() {
    return "%s on %s '%s'".formatted(operation, kind, resource);
  }
}
