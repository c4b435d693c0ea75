package io.cloudkon.core.rehearsal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers calls to SQS and DynamoDB on loopback like an empty cluster: every queue and table exists
 * and is empty, and writes have no effect. A program that is rehearsed without an emulator uses it
 * to load its AWS clients.
 *
 * <p>{@link #settings} points the AWS SDK at it. Thread safe.
 */
final class EmptyCloud implements AutoCloseable {
  private static final String NOTHING = "{}";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private EmptyCloud(HttpServer server) {
    this.server = server;
  }

  /** Starts the server on a free port. */
  static EmptyCloud start() throws IOException {
    EmptyCloud cloud =
        new EmptyCloud(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    cloud.server.createContext("/", cloud::answer);
    cloud.server.setExecutor(cloud.threads);
    cloud.server.start();
    return cloud;
  }

  /**
   * The system properties that direct the SDK to this server, with credentials that are valid
   * nowhere else.
   */
  Map<String, String> settings() {
    return Map.of(
        "aws.endpointUrlSqs", address(),
        "aws.endpointUrlDynamoDb", address(),
        "aws.region", "us-east-1",
        "aws.accessKeyId", "rehearsal",
        "aws.secretAccessKey", "rehearsal");
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange call) throws IOException {
    try (call) {
      call.getRequestBody().readAllBytes();
      String target = String.valueOf(call.getRequestHeaders().getFirst("X-Amz-Target"));
      byte[] body = body(target).getBytes(StandardCharsets.UTF_8);
      call.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
      call.sendResponseHeaders(200, body.length);
      call.getResponseBody().write(body);
    }
  }

  /** The answer for an operation, which is the last part of the header's value. */
  private String body(String target) {
    return switch (target.substring(target.lastIndexOf('.') + 1)) {
      case "GetQueueUrl" -> "{\"QueueUrl\":\"%s/000000000000/rehearsal\"}".formatted(address());
      case "DescribeTable" -> "{\"Table\":{\"TableStatus\":\"ACTIVE\"}}";
      case "Scan", "Query" -> "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}";
      case "BatchGetItem" -> "{\"Responses\":{},\"UnprocessedKeys\":{}}";
      default -> NOTHING;
    };
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
