package io.cloudkon.core.aws;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * What an HTTP request asks for.
 *
 * @param service "sqs", "dynamodb", "ec2" or "s3"
 * @param name the operation's, such as {@code UpdateItem}
 */
record CalledOperation(String service, String name) {
  private static final Map<String, String> OF_BUCKET =
      Map.of("HEAD", "HeadBucket", "PUT", "CreateBucket", "DELETE", "DeleteBucket");
  private static final Map<String, String> BY_PARAMETER =
      Map.of(
          "list-type", "ListObjectsV2",
          "delete", "DeleteObjects",
          "publicAccessBlock", "PutPublicAccessBlock");
  private static final String LIFECYCLE = "lifecycle";

  private static final Pattern ACTION = Pattern.compile("(?:^|&)Action=(\\w+)");

  /**
   * As far as the request says.
   *
   * @param body what it sends; read only if it is a form
   */
  static CalledOperation of(SdkHttpRequest request, Supplier<String> body) {
    boolean form =
        request
            .firstMatchingHeader("Content-Type")
            .filter(type -> type.startsWith("application/x-www-form-urlencoded"))
            .isPresent();
    if (form) {
      Matcher action = ACTION.matcher(body.get());
      return new CalledOperation("ec2", action.find() ? action.group(1) : "");
    }
    // SQS and DynamoDB name it so: "AmazonSQS.SendMessageBatch", "DynamoDB_20120810.UpdateItem"
    Optional<String> target = request.firstMatchingHeader("X-Amz-Target");
    return target
        .map(CalledOperation::named)
        .orElseGet(() -> new CalledOperation("s3", s3Name(request)));
  }

  private static CalledOperation named(String target) {
    String service = target.startsWith("AmazonSQS") ? "sqs" : "dynamodb";
    return new CalledOperation(service, target.substring(target.indexOf('.') + 1));
  }

  /** As far as this package calls it. */
  private static String s3Name(SdkHttpRequest request) {
    String method = request.method().name();
    for (String parameter : request.rawQueryParameters().keySet()) {
      if (BY_PARAMETER.containsKey(parameter)) {
        return BY_PARAMETER.get(parameter);
      }
      if (parameter.equals(LIFECYCLE)) {
        return (method.equals("PUT") ? "Put" : "Get") + "BucketLifecycleConfiguration";
      }
    }
    // an object's path has two slashes, with or without the bucket before it: its key begins with
    // the cluster's name
    if (request.encodedPath().indexOf('/', 1) >= 0) {
      boolean copies = request.firstMatchingHeader("x-amz-copy-source").isPresent();
      return copies ? "CopyObject" : method.equals("PUT") ? "PutObject" : "GetObject";
    }
    return OF_BUCKET.getOrDefault(method, method);
  }
}
