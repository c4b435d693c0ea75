package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What CloudKon needs of S3. */
class S3IT {
  private static final String XML = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

  private static LocalProcess local;
  private static S3Calls s3;

  @BeforeAll
  static void start() {
    local = LocalProcess.start();
    s3 = new S3Calls(local.endpoints().s3Port(), local.key());
  }

  @AfterAll
  static void stop() {
    s3.close();
    local.close();
  }

  @Test
  void bucket_is_made_once_and_removed_when_it_is_empty() {
    s3.put("/made", "").ok();
    S3Calls.Answer again = s3.put("/made", "");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.body()).contains("<Code>BucketAlreadyOwnedByYou</Code>");
    s3.put("/made/key", "x").ok();
    assertThat(s3.delete("/made").body()).contains("<Code>BucketNotEmpty</Code>");
    s3.delete("/made/key").ok();
    s3.delete("/made").ok();
    assertThat(s3.get("/made?list-type=2").body()).contains("<Code>NoSuchBucket</Code>");
  }

  @Test
  void object_comes_back_as_it_was_sent() {
    s3.put("/objects", "").ok();
    s3.put("/objects/a/b%20c", "hello").ok();
    assertThat(s3.get("/objects/a/b%20c").ok().body()).isEqualTo("hello");
    S3Calls.Answer none = s3.get("/objects/a/none");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.body()).contains("<Code>NoSuchKey</Code>");
  }

  @Test
  void keys_with_a_prefix_are_listed_in_pages() {
    s3.put("/listed", "").ok();
    for (int i = 0; i < 3; i++) {
      s3.put("/listed/run/" + i, "x").ok();
    }
    s3.put("/listed/other", "x").ok();
    String first = s3.get("/listed?list-type=2&prefix=run/&max-keys=2").ok().body();
    assertThat(first)
        .contains("<Key>run/0</Key>", "<Key>run/1</Key>", "<IsTruncated>true</IsTruncated>")
        .doesNotContain("run/2", "other");
    String token = first.replaceAll("(?s).*<NextContinuationToken>(.*)</Next.*", "$1");
    assertThat(
            s3.get("/listed?list-type=2&prefix=run/&max-keys=2&continuation-token=" + token)
                .ok()
                .body())
        .contains("<Key>run/2</Key>", "<IsTruncated>false</IsTruncated>")
        .doesNotContain("run/0", "run/1", "other");
  }

  @Test
  void objects_are_deleted_many_at_once() {
    s3.put("/deleted", "").ok();
    s3.put("/deleted/a", "x").ok();
    s3.put("/deleted/b", "x").ok();
    s3.put("/deleted/c", "x").ok();
    s3.post(
            "/deleted?delete",
            "<Delete"
                + XML
                + "><Object><Key>a</Key></Object><Object><Key>b</Key></Object>"
                + "<Object><Key>none</Key></Object></Delete>")
        .ok();
    assertThat(s3.get("/deleted?list-type=2").ok().body())
        .contains("<KeyCount>1</KeyCount>", "<Key>c</Key>");
  }

  @Test
  void life_cycle_of_a_new_bucket_is_read_back() {
    s3.put("/cycle", "").ok();
    assertThat(s3.get("/cycle?lifecycle").status()).isEqualTo(404);
    s3.put(
            "/cycle?lifecycle",
            "<LifecycleConfiguration"
                + XML
                + "><Rule><ID>expire</ID><Filter><Prefix>runs/</Prefix></Filter>"
                + "<Status>Enabled</Status><Expiration><Days>14</Days></Expiration></Rule>"
                + "</LifecycleConfiguration>")
        .ok();
    assertThat(s3.get("/cycle?lifecycle").ok().body())
        .contains("<ID>expire</ID>", "<Prefix>runs/</Prefix>", "<Days>14</Days>");
  }

  @Test
  void object_larger_than_the_memory_of_s3_comes_back_as_it_was_sent() throws Exception {
    long length = 400L * 1024 * 1024;
    s3.put("/large", "").ok();
    s3.upload("/large/object", () -> new Noise(length), length).ok();
    try (InputStream sent = new Noise(length);
        InputStream received = s3.download("/large/object")) {
      assertThat(Noise.firstDifference(sent, received)).as("first block that differs").isEmpty();
    }
    s3.delete("/large/object").ok();
  }
}
