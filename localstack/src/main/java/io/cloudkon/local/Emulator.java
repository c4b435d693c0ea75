package io.cloudkon.local;

import java.io.File;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Both services in this JVM, for as long as it is open. Everything they hold lives in memory. */
final class Emulator implements AutoCloseable {
  private final SqsEmulator sqs;
  private final DynamoDbEmulator dynamoDb;

  private Emulator(SqsEmulator sqs, DynamoDbEmulator dynamoDb) {
    this.sqs = sqs;
    this.dynamoDb = dynamoDb;
  }

  /**
   * Starts both, on free ports where a port is 0.
   *
   * @throws LocalException if a port is taken or a service does not start
   */
  static Emulator start(int sqsPort, int dynamoDbPort) {
    ServerSocketChannel sqsListener = Loopback.listen("SQS", sqsPort);
    ServerSocketChannel dynamoDbListener = null;
    SqsEmulator sqs = null;
    try {
      dynamoDbListener = Loopback.listen("DynamoDB", dynamoDbPort);
      sqs = SqsEmulator.start(sqsListener);
      return new Emulator(sqs, startDynamoDb(dynamoDbListener));
    } catch (RuntimeException e) {
      Closing.quietly(sqs);
      Closing.quietly(sqsListener);
      Closing.quietly(dynamoDbListener);
      throw e;
    }
  }

  private static DynamoDbEmulator startDynamoDb(ServerSocketChannel listener) {
    Path scratch = null;
    try {
      scratch = Files.createTempDirectory("cloudkon-local-");
      scratch.toFile().deleteOnExit(); // for a signal that comes before the end of this method
      return DynamoDbEmulator.start(listener, scratch);
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
      // a system that keeps loaded libraries in place; the JVM tries again at its end
    }
  }

  Endpoints endpoints() {
    return new Endpoints(sqs.port(), dynamoDb.port());
  }

  @Override
  public void close() {
    Closing.quietly(sqs);
    Closing.quietly(dynamoDb);
  }
}
