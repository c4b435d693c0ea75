package io.cloudkon.core.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.sqs.SqsClient;

class EmptyCloudTest {
  private EmptyCloud cloud;

  @BeforeEach
  void start() throws IOException {
    cloud = EmptyCloud.start();
  }

  @AfterEach
  void close() {
    cloud.close();
  }

  @Test
  void every_queue_exists_and_is_empty() {
    try (SqsClient sqs = client(SqsClient.builder(), "aws.endpointUrlSqs")) {
      String url = sqs.getQueueUrl(b -> b.queueName("any")).queueUrl();

      assertThat(sqs.receiveMessage(b -> b.queueUrl(url)).messages()).isEmpty();
      assertThat(sqs.getQueueAttributes(b -> b.queueUrl(url)).attributes()).isEmpty();
    }
  }

  @Test
  void every_table_exists_and_is_empty_and_what_is_written_is_forgotten() {
    try (DynamoDbClient tables = client(DynamoDbClient.builder(), "aws.endpointUrlDynamoDb")) {
      Map<String, AttributeValue> item = Map.of("id", AttributeValue.fromS("one"));

      assertThat(tables.describeTable(b -> b.tableName("any")).table().tableStatus())
          .isEqualTo(TableStatus.ACTIVE);
      var unused = tables.putItem(b -> b.tableName("any").item(item));
      assertThat(tables.getItem(b -> b.tableName("any").key(item)).hasItem()).isFalse();
      assertThat(tables.scan(b -> b.tableName("any")).items()).isEmpty();
    }
  }

  private <B extends AwsClientBuilder<B, C>, C> C client(B builder, String setting) {
    Map<String, String> settings = cloud.settings();
    return builder
        .endpointOverride(URI.create(settings.get(setting)))
        .region(Region.of(settings.get("aws.region")))
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(
                    settings.get("aws.accessKeyId"), settings.get("aws.secretAccessKey"))))
        .build();
  }
}
