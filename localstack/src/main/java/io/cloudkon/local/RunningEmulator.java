package io.cloudkon.local;

import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import java.util.Properties;

/** A running emulator: its process, endpoints and credentials. */
record RunningEmulator(long pid, Endpoints endpoints, AccessKey key) {

  /** Parses the output of {@link #format()}; empty if it is incomplete. */
  static Optional<RunningEmulator> parse(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    try {
      int sqsPort = Integer.parseInt(properties.getProperty("sqsPort", ""));
      int dynamoDbPort = Integer.parseInt(properties.getProperty("dynamoDbPort", ""));
      int s3Port = Integer.parseInt(properties.getProperty("s3Port", ""));
      long pid = Long.parseLong(properties.getProperty("pid", ""));
      String keyId = properties.getProperty("accessKeyId");
      String secret = properties.getProperty("secretAccessKey");
      return keyId == null || secret == null
          ? Optional.empty()
          : Optional.of(
              new RunningEmulator(
                  pid, new Endpoints(sqsPort, dynamoDbPort, s3Port), new AccessKey(keyId, secret)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  String format() {
    return "pid=%d\nsqsPort=%d\ndynamoDbPort=%d\ns3Port=%d\naccessKeyId=%s\nsecretAccessKey=%s\n"
        .formatted(
            pid,
            endpoints.sqsPort(),
            endpoints.dynamoDbPort(),
            endpoints.s3Port(),
            key.id(),
            key.secret());
  }

  /** The lines that point a shell at it. */
  String exportLines() {
    return endpoints.exportLines(key);
  }
}
