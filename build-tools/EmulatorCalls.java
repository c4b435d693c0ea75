import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls on which the emulator is rehearsed: one of each kind that clusters live by. By plain
 * HTTP, as no AWS SDK is at hand where it is built.
 */
final class EmulatorCalls {
  private static final int ROUNDS = 20;
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private EmulatorCalls() {}

  /** The calls on a queue. */
  static void sqs(Map<String, String> environment) throws IOException, InterruptedException {
    Service sqs = Service.of("SQS", "AmazonSQS.", environment);
    sqs.call("CreateQueue", "{'QueueName':'Q','Attributes':{'VisibilityTimeout':'30'}}");
    sqs.call("ListQueues", "{'QueueNamePrefix':'Q'}");
    String found = sqs.call("GetQueueUrl", "{'QueueName':'Q'}");
    String queue = "'QueueUrl':'" + field("QueueUrl", found) + "'";
    sqs.call("SetQueueAttributes", "{" + queue + ",'Attributes':{'VisibilityTimeout':'60'}}");
    sqs.call("GetQueueAttributes", "{" + queue + ",'AttributeNames':['All']}");
    for (int i = 0; i < ROUNDS; i++) {
      sqs.call(
          "SendMessageBatch",
          "{"
              + queue
              + ",'Entries':[{'Id':'1','MessageBody':'one'},{'Id':'2','MessageBody':'two'}]}");
      String received =
          sqs.call(
              "ReceiveMessage", "{" + queue + ",'MaxNumberOfMessages':10,'WaitTimeSeconds':1}");
      String handle = "'Id':'1','ReceiptHandle':'" + field("ReceiptHandle", received) + "'";
      sqs.call(
          "ChangeMessageVisibilityBatch",
          "{" + queue + ",'Entries':[{" + handle + ",'VisibilityTimeout':60}]}");
      sqs.call("DeleteMessageBatch", "{" + queue + ",'Entries':[{" + handle + "}]}");
    }
    sqs.call("DeleteQueue", "{" + queue + "}");
  }

  /** The calls on a table. */
  static void dynamoDb(Map<String, String> environment) throws IOException, InterruptedException {
    Service tables = Service.of("DYNAMODB", "DynamoDB_20120810.", environment);
    tables.call(
        "CreateTable",
        "{'TableName':'rehearsal','BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'id','KeyType':'HASH'}],"
            + "'AttributeDefinitions':[{'AttributeName':'id','AttributeType':'S'}]}");
    tables.call("DescribeTable", "{'TableName':'rehearsal'}");
    tables.call(
        "UpdateTimeToLive",
        "{'TableName':'rehearsal','TimeToLiveSpecification':{'Enabled':true,'AttributeName':'expires'}}");
    for (int i = 0; i < ROUNDS; i++) {
      String key = "'Key':{'id':{'S':'" + i + "'}}";
      tables.call(
          "PutItem",
          "{'TableName':'rehearsal','Item':{'id':{'S':'"
              + i
              + "'},'n':{'N':'1'},'b':{'B':'AAAA'}},"
              + "'ConditionExpression':'attribute_not_exists(id)'}");
      tables.call(
          "UpdateItem",
          "{'TableName':'rehearsal',"
              + key
              + ",'UpdateExpression':'SET #n = #n + :one','ConditionExpression':'#n < :ten',"
              + "'ExpressionAttributeNames':{'#n':'n'},'ReturnValues':'ALL_NEW',"
              + "'ExpressionAttributeValues':{':one':{'N':'1'},':ten':{'N':'10'}}}");
      tables.call("GetItem", "{'TableName':'rehearsal'," + key + ",'ConsistentRead':true}");
      tables.call("DeleteItem", "{'TableName':'rehearsal'," + key + "}");
    }
    tables.call("Scan", "{'TableName':'rehearsal'}");
    tables.call("DeleteTable", "{'TableName':'rehearsal'}");
  }

  /** The calls on a bucket, to S3Mock itself, which listens on a Unix socket only. */
  static void s3(Path socket) throws IOException {
    s3(socket, "PUT", "/rehearsal", "");
    s3(socket, "PUT", "/rehearsal/object", "content");
    s3(socket, "GET", "/rehearsal/object", "");
    s3(socket, "GET", "/rehearsal", "");
    s3(socket, "DELETE", "/rehearsal/object", "");
  }

  private static void s3(Path socket, String method, String path, String body) throws IOException {
    String request =
        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(method, path, body.length(), body);
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      OutputStream out = Channels.newOutputStream(channel);
      out.write(request.getBytes(ISO_8859_1));
      out.flush();
      String answer = new String(Channels.newInputStream(channel).readAllBytes(), ISO_8859_1);
      if (!answer.startsWith("HTTP/1.1 2")) {
        throw new IOException(method + " " + path + ": " + answer);
      }
    }
  }

  /** The first value of this name; a string without escapes. */
  private static String field(String name, String json) throws IOException {
    Matcher value = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    if (!value.find()) {
      throw new IOException("no " + name + " in " + json);
    }
    return value.group(1);
  }

  private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        CLIENT.send(
            request.version(HttpClient.Version.HTTP_1_1).timeout(LIMIT).build(),
            BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.request() + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  /** A service with a JSON protocol. */
  private record Service(URI endpoint, String prefix, String authorization) {

    static Service of(String name, String prefix, Map<String, String> environment) {
      return new Service(
          URI.create(environment.get("AWS_ENDPOINT_URL_" + name)),
          prefix,
          "AWS4-HMAC-SHA256 Credential=%s/20260101/us-east-1/%s/aws4_request, SignedHeaders=host, Signature=0"
              .formatted(environment.get("AWS_ACCESS_KEY_ID"), name.toLowerCase(Locale.ROOT)));
    }

    /** Calls an operation; {@code body} is JSON with single quotes. */
    String call(String operation, String body) throws IOException, InterruptedException {
      return send(
          HttpRequest.newBuilder(endpoint)
              .header("Content-Type", "application/x-amz-json-1.0")
              .header("X-Amz-Target", prefix + operation)
              .header("X-Amz-Date", "20260101T000000Z")
              .header("Authorization", authorization)
              .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
    }
  }
}
