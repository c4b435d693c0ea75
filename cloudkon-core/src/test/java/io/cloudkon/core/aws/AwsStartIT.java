package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a program ends that cannot begin: one line and the exit code, in time. */
final class AwsStartIT {
  @TempDir Path home;

  /** An outcome of {@link ConnectMain}. */
  private record Outcome(int exitCode, String error) {}

  private Outcome start(Map<String, String> environment, String... args) throws Exception {
    Path error = home.resolve("stderr");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // the SDK looks for its files below the home folder, and finds none there
    command.addAll(List.of("-Duser.home=" + home, "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(ConnectMain.class.getName());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(error.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(AWS|CLOUDKON)_.*"));
    builder.environment().put("HOME", home.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      // the promise is 5 s, and 20 s for silence; a JVM on a busy machine needs some to start
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(error, UTF_8));
  }

  private static Map<String, String> emulator() {
    return new HashMap<>(Emulated.environment());
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void cluster_that_exists_is_found() throws Exception {
    try (AwsFixture fixture = new AwsFixture()) {
      Outcome outcome = start(emulator(), "-s", fixture.cluster().name());

      assertThat(outcome).isEqualTo(new Outcome(0, ""));
    }
  }

  @Test
  void cluster_that_does_not_exist_ends_with_3_and_says_how_to_create_it() throws Exception {
    Outcome outcome = start(emulator(), "-s", "nowhere");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                3,
                "cloudkon connect: queue 'nowhere' does not exist; create the cluster with:"
                    + " cloudkon setup -s nowhere\n"));
  }

  @Test
  void region_that_is_missing_ends_with_2() throws Exception {
    Map<String, String> environment = emulator();
    environment.remove("AWS_REGION");

    Outcome outcome = start(environment, "-s", "Q");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "cloudkon connect: no AWS region; set AWS_REGION, or region in ~/.aws/config; if"
                    + " 'cloudkon local' runs: eval \"$(cloudkon local status)\"\n"));
  }

  @Test
  void credentials_that_are_missing_end_with_2() throws Exception {
    Map<String, String> environment = emulator();
    environment.remove("AWS_ACCESS_KEY_ID");
    environment.remove("AWS_SECRET_ACCESS_KEY");

    Outcome outcome = start(environment, "-s", "Q");

    assertThat(outcome.exitCode).isEqualTo(2);
    assertThat(outcome.error)
        .startsWith("cloudkon connect: no AWS credentials; set AWS_ACCESS_KEY_ID")
        .hasLineCount(1);
  }

  @Test
  void role_of_a_profile_is_assumed() throws Exception {
    Map<String, String> environment = emulator();
    String id = environment.remove("AWS_ACCESS_KEY_ID");
    String secret = environment.remove("AWS_SECRET_ACCESS_KEY");
    Files.createDirectory(home.resolve(".aws"));
    Files.writeString(
        home.resolve(".aws/config"),
        """
        [default]
        aws_access_key_id = mine
        aws_secret_access_key = secret
        [profile client]
        role_arn = arn:aws:iam::123456789012:role/client
        source_profile = default
        """);
    environment.put("AWS_PROFILE", "client");
    String answer =
        """
        <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
        <AccessKeyId>%s</AccessKeyId><SecretAccessKey>%s</SecretAccessKey><SessionToken>t</SessionToken>
        <Expiration>2999-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>
        """
            .formatted(id, secret);
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer sts = HttpServer.create(new InetSocketAddress(loopback(), 0), 0);
    sts.createContext(
        "/",
        exchange -> {
          asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(200, answer.getBytes(UTF_8).length);
          exchange.getResponseBody().write(answer.getBytes(UTF_8));
          exchange.close();
        });
    sts.start();
    environment.put("AWS_ENDPOINT_URL_STS", "http://127.0.0.1:" + sts.getAddress().getPort());
    try (AwsFixture fixture = new AwsFixture()) {
      Outcome outcome = start(environment, "-s", fixture.cluster().name());

      assertThat(outcome).isEqualTo(new Outcome(0, ""));
    } finally {
      sts.stop(0);
    }
    assertThat(asked).singleElement(STRING).contains("Action=AssumeRole&", "role%2Fclient");
  }

  @Test
  void endpoint_that_refuses_ends_with_3() throws Exception {
    Map<String, String> environment = emulator();
    environment.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:" + closedPort());

    Outcome outcome = start(environment, "-s", "Q");

    assertThat(outcome.exitCode).isEqualTo(3);
    assertThat(outcome.error)
        .startsWith("cloudkon connect: sqs.GetQueueUrl on queue 'Q' got no answer: ")
        .contains("check AWS_ENDPOINT_URL")
        .hasLineCount(1);
  }

  @Test
  void endpoint_that_never_answers_ends_with_3() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, loopback())) {
      Map<String, String> environment = emulator();
      environment.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:" + silent.getLocalPort());

      Outcome outcome = start(environment, "-s", "Q");

      assertThat(outcome.exitCode).isEqualTo(3);
      assertThat(outcome.error).contains("sqs.GetQueueUrl on queue 'Q' got no answer");
    }
  }

  @Test
  void endpoint_of_plain_http_elsewhere_ends_with_2_unless_allowed() throws Exception {
    Map<String, String> environment = emulator();
    environment.put("AWS_ENDPOINT_URL_SQS", "http://192.0.2.1:4566");

    Outcome refused = start(environment, "-s", "Q");
    Outcome allowed = start(environment, "-s", "Q", "--insecure-endpoint", "192.0.2.1");

    assertThat(refused.exitCode).isEqualTo(2);
    assertThat(refused.error).contains("--insecure-endpoint 192.0.2.1").hasLineCount(1);
    assertThat(allowed.exitCode).isEqualTo(3); // nobody is there: TEST-NET-1
  }

  @Test
  void endpoint_of_s3_is_held_to_the_same_rule_before_its_first_use() throws Exception {
    Map<String, String> environment = emulator();
    environment.put("AWS_ENDPOINT_URL_S3", "http://192.0.2.1:4566");

    Outcome refused = start(environment, "-s", "Q");

    assertThat(refused.exitCode).isEqualTo(2);
    assertThat(refused.error)
        .startsWith("cloudkon connect: the endpoint http://192.0.2.1:4566 of S3 is plain http")
        .hasLineCount(1);
  }

  @Test
  void bucket_name_that_is_illegal_ends_with_2() throws Exception {
    Outcome outcome = start(emulator(), "-s", "Q", "--bucket", "No_Bucket");

    assertThat(outcome.exitCode).isEqualTo(2);
    assertThat(outcome.error).contains("illegal bucket 'No_Bucket'").hasLineCount(1);
  }

  @Test
  void classes_of_s3_are_not_loaded_by_who_does_not_use_it() throws Exception {
    try (AwsFixture fixture = new AwsFixture()) {
      Map<String, String> environment = emulator();
      Path log = home.resolve("classes");
      environment.put("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);

      Outcome outcome = start(environment, "-s", fixture.cluster().name());

      assertThat(outcome.exitCode).isZero();
      assertThat(Files.readAllLines(log, UTF_8))
          .anyMatch(line -> line.contains("services.sqs.SqsClient"))
          .noneMatch(line -> line.contains("services.s3.S3Client"));
    }
  }

  @Test
  void endpoint_of_all_services_is_honoured() throws Exception {
    Map<String, String> environment = emulator();
    environment.remove("AWS_ENDPOINT_URL_SQS");
    environment.put("AWS_ENDPOINT_URL", "http://127.0.0.1:" + closedPort());

    assertThat(start(environment, "-s", "Q").error).contains("sqs.GetQueueUrl");
  }

  @Test
  void queue_name_that_is_illegal_ends_with_2() throws Exception {
    Outcome outcome = start(emulator(), "-s", "no/slashes");

    assertThat(outcome.exitCode).isEqualTo(2);
    assertThat(outcome.error).contains("illegal queue 'no/slashes'").hasLineCount(1);
  }

  @Test
  void faults_are_switched_on_by_the_environment() throws Exception {
    Map<String, String> environment = emulator();
    environment.put(Faults.VARIABLE, "outage=sqs@0s+1h");

    Outcome outcome = start(environment, "-s", "Q");

    assertThat(outcome.exitCode).isEqualTo(3);
    assertThat(outcome.error).containsPattern("by a fault|ServiceUnavailable");
  }
}
