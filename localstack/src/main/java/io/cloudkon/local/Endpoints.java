package io.cloudkon.local;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The ports of the three services on 127.0.0.1; in a request, 0 stands for any free port. */
record Endpoints(int sqsPort, int dynamoDbPort, int s3Port) {

  /** The environment variables that point any AWS SDK at the emulator, in the order of printing. */
  Map<String, String> environment(AccessKey key) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:" + sqsPort);
    variables.put("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:" + dynamoDbPort);
    variables.put("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:" + s3Port);
    variables.put("AWS_REGION", "us-east-1");
    variables.put("AWS_ACCESS_KEY_ID", key.id());
    variables.put("AWS_SECRET_ACCESS_KEY", key.secret());
    return variables;
  }

  /** The variables as lines for a shell's {@code eval}, without a newline at the end. */
  String exportLines(AccessKey key) {
    return environment(key).entrySet().stream()
        .map(variable -> "export " + variable.getKey() + "=" + variable.getValue())
        .collect(Collectors.joining("\n"));
  }
}
