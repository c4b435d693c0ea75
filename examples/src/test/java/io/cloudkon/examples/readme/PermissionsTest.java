package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The policies in docs/operations.md name every call that the code makes, and no other. */
class PermissionsTest {
  private static final Pattern POLICY = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
  private static final Pattern ACTION = Pattern.compile("\"((?:sqs|dynamodb|s3):\\w+)\"");

  private static final Map<String, String> CLIENTS =
      Map.of(
          "software.amazon.awssdk.services.sqs.SqsClient", "sqs:",
          "software.amazon.awssdk.services.dynamodb.DynamoDbClient", "dynamodb:",
          "software.amazon.awssdk.services.s3.S3Client", "s3:");

  /** Methods that call nobody. */
  private static final Set<String> QUIET =
      Set.of("builder", "close", "create", "serviceClientConfiguration");

  /** Calls whose permission has another name, or needs one more. */
  private static final Map<String, List<String>> OTHERWISE =
      Map.ofEntries(
          Map.entry("sqs:SendMessageBatch", List.of("sqs:SendMessage")),
          Map.entry("sqs:DeleteMessageBatch", List.of("sqs:DeleteMessage")),
          Map.entry("dynamodb:ScanPaginator", List.of("dynamodb:Scan")),
          Map.entry(
              "dynamodb:TransactWriteItems",
              List.of("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem")),
          Map.entry("s3:HeadBucket", List.of("s3:ListBucket")),
          Map.entry("s3:ListObjectsV2", List.of("s3:ListBucket")),
          Map.entry("s3:DeleteObjects", List.of("s3:DeleteObject")),
          Map.entry("s3:CreateBucket", List.of("s3:CreateBucket", "s3:PutBucketOwnershipControls")),
          Map.entry("s3:PutPublicAccessBlock", List.of("s3:PutBucketPublicAccessBlock")),
          Map.entry("s3:GetBucketLifecycleConfiguration", List.of("s3:GetLifecycleConfiguration")),
          Map.entry("s3:PutBucketLifecycleConfiguration", List.of("s3:PutLifecycleConfiguration")));

  @Test
  void policies_allow_what_the_code_calls_and_nothing_else() {
    assertThat(allowed()).isEqualTo(called());
  }

  private static Set<String> allowed() {
    String document = Documents.read(Documents.OPERATIONS);
    return POLICY
        .matcher(document)
        .results()
        .flatMap(policy -> ACTION.matcher(policy.group(1)).results())
        .map(action -> action.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> called() {
    return new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.cloudkon.core")
            .stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .flatMap(PermissionsTest::permissions)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> permissions(JavaMethodCall call) {
    return Optional.ofNullable(CLIENTS.get(call.getTargetOwner().getFullName()))
        .filter(service -> !QUIET.contains(call.getName()))
        .map(service -> service + capitalised(call.getName()))
        .map(action -> OTHERWISE.getOrDefault(action, List.of(action)))
        .stream()
        .flatMap(List::stream);
  }

  private static String capitalised(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
