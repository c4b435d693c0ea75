package io.cloudkon.local;

import java.io.File;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the services while it is open: SQS and DynamoDB in this JVM with all their data in memory,
 * and S3, which starts when it is first needed.
 */
final class Emulator implements AutoCloseable {
  private final SqsEmulator sqs;
  private final DynamoDbEmulator dynamoDb;
  private final S3Emulator s3;
  private final AccessKey key;

  private Emulator(SqsEmulator sqs, DynamoDbEmulator dynamoDb, S3Emulator s3, AccessKey key) {
    this.key = key;
    this.sqs = sqs;
    this.dynamoDb = dynamoDb;
    this.s3 = s3;
  }

  /**
   * Starts the services. SQS and DynamoDB answer when this returns.
   *
   * @param latency the latency of answers from SQS and DynamoDB
   * @param tell receives messages for the user about later events
   * @throws LocalException if a port is taken or a service does not start
   */
  static Emulator start(Endpoints wish, EmulatedLatency latency, Consumer<String> tell) {
    ServerSocketChannel sqsListener = Loopback.listen("SQS", wish.sqsPort());
    ServerSocketChannel dynamoDbListener = null;
    ServerSocketChannel s3Listener = null;
    SqsEmulator sqs = null;
    DynamoDbEmulator dynamoDb = null;
    AccessKey key = AccessKey.random();
    Access access = new Access(key);
    try {
      dynamoDbListener = Loopback.listen("DynamoDB", wish.dynamoDbPort());
      s3Listener = Loopback.listen("S3", wish.s3Port());
      sqs = SqsEmulator.start(sqsListener, access, latency);
      CompletableFuture<Void> prepared =
          CompletableFuture.runAsync(sqs::prepare, Thread::startVirtualThread);
      dynamoDb = startDynamoDb(dynamoDbListener, access, latency);
      await(prepared);
      return new Emulator(sqs, dynamoDb, S3Emulator.start(s3Listener, access, tell), key);
    } catch (RuntimeException e) {
      Closing.quietly(dynamoDb);
      Closing.quietly(sqs);
      Closing.quietly(sqsListener);
      Closing.quietly(dynamoDbListener);
      Closing.quietly(s3Listener);
      throw e;
    }
  }

  private static void await(CompletableFuture<Void> prepared) {
    try {
      prepared.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof LocalException cause ? cause : e;
    }
  }

  private static DynamoDbEmulator startDynamoDb(
      ServerSocketChannel listener, Access access, EmulatedLatency latency) {
    Path scratch = null;
    try {
      scratch = Files.createTempDirectory("cloudkon-local-");
      scratch.toFile().deleteOnExit(); // in case a signal arrives before the end of this method
      return DynamoDbEmulator.start(listener, access, latency, scratch);
    } catch (IOException e) {
      throw new LocalException("No temporary folder for DynamoDB Local's native library: " + e, e);
    } finally {
      delete(scratch);
    }
  }

  private static void delete(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      files.map(Path::toFile).forEach(File::delete);
      Files.delete(folder);
    } catch (IOException e) {
      // some systems do not delete loaded libraries; the JVM tries again when it ends
    }
  }

  AccessKey key() {
    return key;
  }

  Endpoints endpoints() {
    return new Endpoints(sqs.port(), dynamoDb.port(), s3.port());
  }

  @Override
  public void close() {
    Closing.quietly(s3);
    Closing.quietly(sqs);
    Closing.quietly(dynamoDb);
  }
}
