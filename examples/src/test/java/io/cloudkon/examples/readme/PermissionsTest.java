package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The policies of infra/cloudkon.yaml stand in docs/operations.md, and together they allow every
 * call that the code makes, and no other. Which role makes which call on what is compared by
 * infra/test/roles_test.py, with calls that were made.
 */
class PermissionsTest {
  private static final Map<String, String> CLIENTS =
      Map.of(
          "software.amazon.awssdk.services.sqs.SqsClient", "sqs:",
          "software.amazon.awssdk.services.dynamodb.DynamoDbClient", "dynamodb:",
          "software.amazon.awssdk.services.s3.S3Client", "s3:",
          "software.amazon.awssdk.services.ec2.Ec2Client", "ec2:");

  /** Methods that call nobody. */
  private static final Set<String> QUIET =
      Set.of("builder", "close", "create", "serviceClientConfiguration");

  /** Calls whose permission has another name, or needs more. */
  private static final Map<String, List<String>> OTHERWISE =
      Map.ofEntries(
          Map.entry("sqs:SendMessageBatch", List.of("sqs:SendMessage")),
          Map.entry("sqs:DeleteMessageBatch", List.of("sqs:DeleteMessage")),
          Map.entry("sqs:ChangeMessageVisibilityBatch", List.of("sqs:ChangeMessageVisibility")),
          Map.entry("dynamodb:ScanPaginator", List.of("dynamodb:Scan")),
          Map.entry("dynamodb:QueryPaginator", List.of("dynamodb:Query")),
          Map.entry(
              "dynamodb:TransactWriteItems",
              List.of("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem")),
          Map.entry("s3:HeadBucket", List.of("s3:ListBucket")),
          Map.entry("s3:ListObjectsV2", List.of("s3:ListBucket")),
          Map.entry("s3:CopyObject", List.of("s3:GetObject", "s3:PutObject")),
          Map.entry("s3:DeleteObjects", List.of("s3:DeleteObject")),
          Map.entry("s3:CreateBucket", List.of("s3:CreateBucket", "s3:PutBucketOwnershipControls")),
          Map.entry("s3:PutPublicAccessBlock", List.of("s3:PutBucketPublicAccessBlock")),
          Map.entry("s3:GetBucketLifecycleConfiguration", List.of("s3:GetLifecycleConfiguration")),
          Map.entry("s3:PutBucketLifecycleConfiguration", List.of("s3:PutLifecycleConfiguration")),
          // made in the caller's name, with the template's role, image and tags
          Map.entry(
              "ec2:CreateFleet",
              List.of(
                  "ec2:CreateFleet",
                  "ec2:RunInstances",
                  "ec2:CreateTags",
                  "iam:PassRole",
                  "ssm:GetParameters")));

  private static final String READ = "dynamodb:GetItem";

  private static final String UPDATE =
      "mvn -pl examples -am test -Dtest=PermissionsTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dcloudkon.docs.update=true";

  private static List<String> roles() {
    return StackTemplate.read().roles();
  }

  @ParameterizedTest
  @MethodSource("roles")
  void policy_in_the_document_is_the_one_of_the_template(String role) throws IOException {
    String expected = PolicyBlocks.json(StackTemplate.read().policy(role));
    String document = Documents.read(Documents.OPERATIONS);
    if (Boolean.getBoolean("cloudkon.docs.update")) {
      document = PolicyBlocks.with(document, Map.of(role, expected));
      Files.writeString(Documents.OPERATIONS, document);
    }

    assertThat(PolicyBlocks.block(document, role))
        .as("put docs/operations.md right with: %s", UPDATE)
        .isEqualTo(expected);
  }

  @Test
  void every_policy_in_the_document_belongs_to_a_role() {
    assertThat(PolicyBlocks.roles(Documents.read(Documents.OPERATIONS)))
        .containsExactlyInAnyOrderElementsOf(roles());
  }

  @Test
  void policies_allow_what_the_code_calls_and_nothing_else() {
    Set<String> allowed =
        roles().stream()
            .flatMap(role -> actions(StackTemplate.read().policy(role)))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(allowed).isEqualTo(called());
  }

  @Test
  void powers_over_instances_are_bound_to_the_cluster() {
    Map<String, Object> conditions = new TreeMap<>();
    for (String role : roles()) {
      statements(StackTemplate.read().policy(role))
          .filter(statement -> strings(statement.get("Action")).contains("ec2:TerminateInstances"))
          .forEach(statement -> conditions.put(role, statement.getOrDefault("Condition", "")));
    }

    Map<String, String> ofTheCluster = Map.of("aws:ResourceTag/cloudkon:cluster", "Q");
    assertThat(conditions)
        .containsEntry("Admin", Map.of("StringEquals", ofTheCluster))
        .containsEntry("Operator", Map.of("StringEquals", ofTheCluster))
        .containsEntry("Provisioner", Map.of("StringEquals", ofTheCluster))
        .containsEntry(
            "Worker",
            Map.of(
                "StringEquals",
                ofTheCluster,
                "ArnLike",
                Map.of(
                    "ec2:SourceInstanceARN",
                    "arn:aws:ec2:REGION:ACCOUNT:instance/${ec2:InstanceID}")))
        .doesNotContainKeys("Client", "Viewer");
  }

  /** A provisioner carries out decisions, so a worker must not be able to write one. */
  @Test
  void workers_write_only_their_seats_into_the_table_of_decisions() {
    List<Map<String, Object>> writes =
        statements(StackTemplate.read().policy("Worker"))
            .filter(statement ->
                strings(statement.get("Resource")).stream()
                    .anyMatch(resource -> resource.endsWith("/Q-decisions")))
            .filter(statement -> !strings(statement.get("Action")).equals(List.of(READ)))
            .toList();

    assertThat(writes)
        .singleElement()
        .extracting(statement -> statement.get("Condition"))
        .isEqualTo(
            Map.of("ForAllValues:StringLike", Map.of("dynamodb:LeadingKeys", List.of("seat/*"))));
  }

  /** An instance that is bought as Spot is a Spot request too. */
  @Test
  void provisioner_may_request_spot_instances() {
    assertThat(
            statements(StackTemplate.read().policy("Provisioner"))
                .filter(statement ->
                    strings(statement.get("Resource")).stream()
                        .anyMatch(resource -> resource.endsWith(":spot-instances-request/*")))
                .flatMap(statement -> strings(statement.get("Action")).stream()))
        .containsExactlyInAnyOrder("ec2:CreateFleet", "ec2:RunInstances");
  }

  private static Stream<String> actions(Object policy) {
    return statements(policy).flatMap(statement -> strings(statement.get("Action")).stream());
  }

  @SuppressWarnings("unchecked")
  private static Stream<Map<String, Object>> statements(Object policy) {
    return ((Collection<Map<String, Object>>) ((Map<String, Object>) policy).get("Statement"))
        .stream();
  }

  @SuppressWarnings("unchecked")
  private static Collection<String> strings(Object list) {
    return (Collection<String>) list;
  }

  private static Set<String> called() {
    return new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.contains("-tests.jar"))
            .withImportOption(place -> !place.contains("test-classes"))
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
