package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.NoBlobStoreException;
import io.cloudkon.core.testing.SdkSettings;
import io.cloudkon.core.time.SystemTime;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Object;

final class BucketSetupIT {
  private static final String DEFAULT = "cloudkon-000000000000-us-east-1";
  private static final String LABEL = "bucket " + DEFAULT;

  private final String name = Emulated.clusterName();
  private final AwsCloud cloud = Emulated.connect();
  private final S3Client s3 = cloud.clients().s3().client();

  @AfterEach
  void remove() {
    cloud.setup().removeAll(name);
    cloud.close();
  }

  /** That of a cluster that no stack made, and that has no machines. */
  private static List<String> teardown(AwsCloud of, String cluster) {
    return of.setup().teardown(cluster, null, () -> {});
  }

  private List<String> keys(String bucket) {
    return s3.listObjectsV2(b -> b.bucket(bucket)).contents().stream().map(S3Object::key).toList();
  }

  private List<LifecycleRule> rules(String bucket) {
    return s3.getBucketLifecycleConfiguration(b -> b.bucket(bucket)).rules();
  }

  /** Another connection, to an emulator with another S3, or with none. */
  private static AwsCloud connect(@Nullable String s3Endpoint) {
    Map<String, String> environment = new HashMap<>(Emulated.environment());
    environment.remove("AWS_ENDPOINT_URL_S3");
    if (s3Endpoint != null) {
      environment.put("AWS_ENDPOINT_URL_S3", s3Endpoint);
    }
    SdkSettings.apply(environment);
    return AwsCloud.connect(Set.of(), null, new SystemTime(), HttpDecorator.NONE);
  }

  @Test
  void bucket_that_setup_creates_forgets_after_15_days() {
    assertThat(cloud.setup().setup(name).bucket()).contains(DEFAULT);

    assertThat(rules(DEFAULT))
        .singleElement()
        .satisfies(rule -> {
          assertThat(rule.expiration().days()).isEqualTo(15);
          assertThat(rule.abortIncompleteMultipartUpload().daysAfterInitiation()).isEqualTo(1);
        });
  }

  @Test
  void bucket_that_exists_gets_the_rule_beside_its_own() {
    s3.createBucket(b -> b.bucket(DEFAULT));
    s3.putBucketLifecycleConfiguration(b ->
        b.bucket(DEFAULT)
            .lifecycleConfiguration(c ->
                c.rules(r ->
                    r.id("mine")
                        .status(ExpirationStatus.ENABLED)
                        .filter(f -> f.prefix("mine/"))
                        .expiration(e -> e.days(1)))));

    assertThat(cloud.setup().setup(name).bucket()).contains(DEFAULT);

    assertThat(rules(DEFAULT))
        .extracting(LifecycleRule::id)
        .containsExactlyInAnyOrder("mine", "cloudkon-expire");
  }

  @Test
  void bucket_that_exists_keeps_what_is_in_it() {
    cloud.setup().setup(name);
    s3.putObject(b -> b.bucket(DEFAULT).key("other"), RequestBody.fromString("x"));

    assertThat(cloud.setup().setup(name).bucket()).contains(DEFAULT);

    assertThat(keys(DEFAULT)).containsExactly("other");
    assertThat(teardown(cloud, name)).contains(name).doesNotContain(LABEL);
    s3.deleteObject(b -> b.bucket(DEFAULT).key("other"));
    s3.deleteBucket(b -> b.bucket(DEFAULT));
  }

  @Test
  void blobs_are_below_the_clusters_name() {
    cloud.setup().setup(name);

    cloud.cluster(name).blobs().put("run/in/a", new byte[1]);

    assertThat(keys(DEFAULT)).containsExactly(name + "/run/in/a");
  }

  @Test
  void teardown_removes_the_clusters_objects_and_the_bucket_of_the_last_cluster() {
    String other = name + "-2";
    cloud.setup().setup(name);
    cloud.setup().setup(other);
    cloud.cluster(name).blobs().put("run/in/a", new byte[1]);
    cloud.cluster(other).blobs().put("run/in/a", new byte[1]);

    assertThat(teardown(cloud, name)).doesNotContain(LABEL);
    assertThat(keys(DEFAULT)).containsExactly(other + "/run/in/a");
    cloud.cluster(other).blobs().removeAll("run/");
    cloud.setup().setup(name);
    assertThat(teardown(cloud, name)).doesNotContain(LABEL);
    assertThat(teardown(cloud, other)).contains(LABEL);

    assertThatThrownBy(() -> s3.headBucket(b -> b.bucket(DEFAULT)))
        .isInstanceOf(NoSuchBucketException.class);
  }

  @Test
  void bucket_that_is_missing_says_how_to_create_it() {
    cloud.setup().setup(name);
    s3.deleteBucket(b -> b.bucket(DEFAULT));
    BlobStore blobs = cloud.cluster(name).blobs();

    assertThatThrownBy(() -> blobs.put("run/in/a", new byte[1]))
        .isInstanceOf(MissingResourceException.class)
        .hasMessage(
            "bucket '%s' does not exist; create it with: cloudkon setup -s %s", DEFAULT, name);
    assertThatThrownBy(() -> blobs.get("run/in/a")).isInstanceOf(MissingResourceException.class);
    assertThatCode(() -> blobs.removeAll("run/")).doesNotThrowAnyException();
  }

  @Test
  void bucket_that_the_user_names_is_created_and_outlives_the_cluster() {
    String mine = "mine-" + name;
    try (AwsCloud named = Emulated.connect(mine, new SystemTime(), HttpDecorator.NONE)) {
      BlobStore blobs = named.cluster(name).blobs();
      assertThatThrownBy(() -> blobs.put("run/in/a", new byte[1]))
          .isInstanceOf(MissingResourceException.class)
          .hasMessageEndingWith("cloudkon setup -s %s", name);

      assertThat(named.setup().setup(name).bucket()).contains(mine);
      blobs.put("run/in/a", new byte[1]);

      assertThat(keys(mine)).containsExactly(name + "/run/in/a");
      assertThat(teardown(named, name)).contains(name).doesNotContain("bucket " + mine);
      assertThat(keys(mine)).isEmpty();
      s3.deleteBucket(b -> b.bucket(mine));
    }
  }

  @Test
  void cluster_without_an_endpoint_of_s3_has_no_bucket_and_says_so() {
    try (AwsCloud without = connect(null)) {
      assertThat(without.setup().setup(name).bucket()).isEmpty();
      BlobStore blobs = without.cluster(name).blobs();

      assertThatThrownBy(() -> blobs.put("run/in/a", new byte[1]))
          .isExactlyInstanceOf(NoBlobStoreException.class)
          .hasMessageStartingWith(
              "no S3 endpoint: AWS_ENDPOINT_URL_SQS is set, AWS_ENDPOINT_URL_S3 is not; ");
      assertThatThrownBy(() -> blobs.get("run/in/a")).hasMessageStartingWith("no S3 endpoint: ");
      assertThatCode(() -> blobs.removeAll("run/")).doesNotThrowAnyException();
      assertThat(teardown(without, name)).hasSize(9);
    }
  }

  @Test
  void cluster_is_set_up_and_removed_while_s3_can_not_be_reached() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    try (AwsCloud without = connect("http://127.0.0.1:" + closed)) {
      assertThat(without.setup().setup(name).bucket()).isEmpty();
      assertThat(teardown(without, name)).hasSize(9);
    }
  }
}
