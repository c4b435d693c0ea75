package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.sun.net.httpserver.HttpServer;
import io.cloudkon.core.aws.ConnectProcess.Outcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a program ends that cannot begin: one line and the exit code, in time. */
final class AwsStartIT {
  @TempDir Path home;

  private Outcome start(Map<String, String> environment, String... args) throws Exception {
    return ConnectProcess.start(home, environment, args);
  }

  @Test
  void cluster_that_exists_is_found() throws Exception {
    try (AwsFixture fixture = new AwsFixture()) {
      Outcome outcome = start(ConnectProcess.emulator(), "-s", fixture.cluster().name());

      assertThat(outcome).isEqualTo(new Outcome(0, ""));
    }
  }

  @Test
  void cluster_that_does_not_exist_ends_with_3_and_says_how_to_create_it() throws Exception {
    Outcome outcome = start(ConnectProcess.emulator(), "-s", "nowhere");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                3,
                "cloudkon connect: queue 'nowhere' does not exist; create the cluster with:"
                    + " cloudkon setup -s nowhere\n"));
  }

  @Test
  void region_that_is_missing_ends_with_2() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
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
    Map<String, String> environment = ConnectProcess.emulator();
    environment.remove("AWS_ACCESS_KEY_ID");
    environment.remove("AWS_SECRET_ACCESS_KEY");

    Outcome outcome = start(environment, "-s", "Q");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.error())
        .startsWith("cloudkon connect: no AWS credentials; set AWS_ACCESS_KEY_ID")
        .hasLineCount(1);
  }

  @Test
  void role_of_a_profile_is_assumed() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
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
    HttpServer sts =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
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
  void bucket_name_that_is_illegal_ends_with_2() throws Exception {
    Outcome outcome = start(ConnectProcess.emulator(), "-s", "Q", "--bucket", "No_Bucket");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.error()).contains("illegal bucket 'No_Bucket'").hasLineCount(1);
  }

  @Test
  void classes_of_s3_are_not_loaded_by_who_does_not_use_it() throws Exception {
    try (AwsFixture fixture = new AwsFixture()) {
      Map<String, String> environment = ConnectProcess.emulator();
      Path log = home.resolve("classes");
      environment.put("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);

      Outcome outcome = start(environment, "-s", fixture.cluster().name());

      assertThat(outcome.exitCode()).isZero();
      assertThat(Files.readAllLines(log, UTF_8))
          .anyMatch(line -> line.contains("services.sqs.SqsClient"))
          .noneMatch(line -> line.contains("services.s3.S3Client"));
    }
  }

  @Test
  void queue_name_that_is_illegal_ends_with_2() throws Exception {
    Outcome outcome = start(ConnectProcess.emulator(), "-s", "no/slashes");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.error()).contains("illegal queue 'no/slashes'").hasLineCount(1);
  }

  @Test
  void faults_are_switched_on_by_the_environment() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
    environment.put(Faults.VARIABLE, "outage=sqs@0s+1h");

    Outcome outcome = start(environment, "-s", "Q");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.error()).containsPattern("by a fault|ServiceUnavailable");
  }
}
