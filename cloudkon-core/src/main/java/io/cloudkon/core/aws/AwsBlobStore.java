package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Blobs in S3, with one object each, below {@code CLUSTER/} in a bucket that clusters share. */
final class AwsBlobStore implements BlobStore {
  static final String TYPE = "application/octet-stream";
  private static final Duration UPLOAD_PATIENCE = Duration.ofMinutes(1);
  private static final int SLOWEST_UPLOAD_BYTES_PER_SECOND = 16 * 1024;
  private static final int CHUNK_BYTES = 128 * 1024;
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final LazyS3 s3;
  private final Supplier<Bucket> bucket;
  private final String cluster;

  /**
   * A store that makes no call yet.
   *
   * @param bucket called for each call; may itself make a call
   */
  AwsBlobStore(LazyS3 s3, Supplier<Bucket> bucket, String cluster) {
    this.s3 = s3;
    this.bucket = bucket;
    this.cluster = cluster;
  }

  @Override
  public void put(String key, byte[] content) {
    ContentStreamProvider bytes = ContentStreamProvider.fromByteArrayUnsafe(content);
    put(key, RequestBody.fromContentProvider(bytes, content.length, TYPE));
  }

  @Override
  public void put(String key, Path file) {
    try (FileBody body = new FileBody(file)) {
      long length = body.length();
      if (length > Limits.BLOB_BYTES) {
        throw new CloudKonException(
            "'%s' has %d bytes; S3 takes at most %d in one object"
                .formatted(file, length, Limits.BLOB_BYTES));
      }
      try {
        put(key, RequestBody.fromContentProvider(body, length, TYPE));
      } catch (CloudKonException e) {
        body.check();
        throw e;
      } catch (IllegalStateException e) { // the SDK's word for fewer or more bytes than it was told
        throw new CloudKonException("'%s' changed while it was sent".formatted(file), e);
      }
    }
  }

  private void put(String key, RequestBody body) {
    S3Objects at = objects();
    at.call("PutObject")
        .make(() ->
            at.s3()
                .putObject(
                    PutObjectRequest.builder()
                        .bucket(at.bucket().name())
                        .expectedBucketOwner(at.bucket().owner())
                        .key(at.key(key))
                        .overrideConfiguration(b -> b.apiCallTimeout(limit(body)))
                        .build(),
                    body));
  }

  /**
   * How long an upload may take. Without a limit a connection whose other end has vanished would
   * block its thread for a quarter of an hour, and one whose other end does not read forever.
   */
  private static Duration limit(RequestBody body) {
    return UPLOAD_PATIENCE.plusSeconds(
        body.optionalContentLength().orElse(0L) / SLOWEST_UPLOAD_BYTES_PER_SECOND);
  }

  @Override
  public Optional<byte[]> get(String key) {
    return read(key, content -> bytes(key, content));
  }

  private static byte[] bytes(String key, ResponseInputStream<GetObjectResponse> content) {
    long length = content.response().contentLength();
    if (length > LARGEST_ARRAY) {
      throw new CloudKonException(
          "blob '%s' has %d bytes, too many to hold in memory".formatted(key, length));
    }
    byte[] bytes = new byte[(int) length];
    try {
      int read = content.readNBytes(bytes, 0, bytes.length);
      // read to the end, where the checksum is compared
      if (read < bytes.length || content.read() >= 0) {
        throw new IOException("the answer has not the length it named");
      }
    } catch (IOException e) {
      throw brokenOff(e);
    }
    return bytes;
  }

  @Override
  public boolean get(String key, Path file) {
    return read(
            key,
            content -> {
              write(content, file);
              return file;
            })
        .isPresent();
  }

  private static void write(InputStream content, Path file) {
    OutputStream out = open(file);
    try (out) {
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int read = next(content, chunk); read >= 0; read = next(content, chunk)) {
        out.write(chunk, 0, read);
      }
    } catch (IOException e) {
      remove(file);
      throw unwritable(file, e);
    } catch (SdkException e) {
      remove(file);
      throw e;
    }
  }

  private static OutputStream open(Path file) {
    try {
      return Files.newOutputStream(file);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static CloudKonException unwritable(Path file, IOException e) {
    return new LocalFileException("cannot write '%s': %s".formatted(file, e), e);
  }

  private static int next(InputStream content, byte[] chunk) {
    try {
      return content.read(chunk);
    } catch (IOException e) {
      throw brokenOff(e);
    }
  }

  /** Removes a partial file, which would look like a complete one. */
  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // the original exception is thrown and says more
    }
  }

  private static SdkClientException brokenOff(IOException e) {
    return SdkClientException.create("the answer broke off", e);
  }

  private <T> Optional<T> read(
      String key, Function<ResponseInputStream<GetObjectResponse>, T> reader) {
    S3Objects at = objects();
    return at.call("GetObject")
        .make(() -> {
          GetObjectRequest request =
              GetObjectRequest.builder()
                  .bucket(at.bucket().name())
                  .expectedBucketOwner(at.bucket().owner())
                  .key(at.key(key))
                  .build();
          try (ResponseInputStream<GetObjectResponse> content = at.s3().getObject(request)) {
            T result;
            try {
              result = reader.apply(content);
            } catch (Throwable e) {
              content.abort(); // closing alone would read on to the end
              throw e;
            }
            return Optional.of(result);
          } catch (NoSuchKeyException e) {
            return Optional.<T>empty();
          } catch (IOException e) {
            throw brokenOff(e);
          }
        });
  }

  @Override
  public int renew(String prefix, long before) {
    return objects().renew(prefix, Instant.ofEpochMilli(before));
  }

  @Override
  public List<String> list(String prefix) {
    return objects().list(prefix);
  }

  @Override
  public void removeAll(String prefix) {
    if (!s3.isReachable()) {
      return; // nothing was ever put
    }
    try {
      objects().removeAll(prefix);
    } catch (MissingResourceException e) {
      // without a bucket, or a queue that gives its name, nothing is left
    }
  }

  private S3Objects objects() {
    return new S3Objects(s3.client(), bucket.get(), cluster);
  }
}
