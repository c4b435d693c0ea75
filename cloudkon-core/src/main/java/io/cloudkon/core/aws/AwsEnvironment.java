package io.cloudkon.core.aws;

import io.cloudkon.core.error.MissingCredentialsException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.process.Launcher;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/**
 * The region and credentials that the SDK's default chains found, checked before the first call.
 *
 * @param region the region
 * @param credentials the credentials provider, which is known to provide credentials
 */
record AwsEnvironment(Region region, AwsCredentialsProvider credentials) {
  /** Missing settings are detected sooner; a busy machine or a slow service needs this time. */
  private static final Duration PATIENCE = StartRead.DEFAULT.patience();

  /**
   * Loads region and credentials.
   *
   * @throws MissingCredentialsException if there are none
   */
  static AwsEnvironment load() {
    askInstanceOnlyOnEc2();
    Region region =
        timely(
            "no AWS region; set AWS_REGION, or region in ~/.aws/config; if 'cloudkon local' runs: eval \"$(%s local status)\""
                .formatted(Launcher.name()),
            () -> DefaultAwsRegionProviderChain.builder().build().getRegion());
    AwsCredentialsProvider credentials =
        new PatientCredentials(DefaultCredentialsProvider.builder().build());
    String missing =
        ("no AWS credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or"
             + " give the instance a role; if 'cloudkon local' runs: eval \"$(%s local status)\"")
            .formatted(Launcher.name());
    timely(missing, () -> resolved(credentials, missing));
    return new AwsEnvironment(region, credentials);
  }

  /** Resolves the credentials; if there are none, the message says what a named profile lacks. */
  private static AwsCredentials resolved(AwsCredentialsProvider credentials, String missing) {
    try {
      return credentials.resolveCredentials();
    } catch (SdkException e) {
      Optional<String> lack =
          ProfileFileSystemSetting.AWS_PROFILE
              .getNonDefaultStringValue()
              .flatMap(name -> lack(ProfileFile.defaultProfileFile(), name));
      throw lack.isEmpty() ? e : new MissingCredentialsException(missing + lack.get(), e);
    }
  }

  /** Why a profile provides no credentials, as the end of a message; empty if it provides some. */
  static Optional<String> lack(ProfileFile file, String name) {
    try (ProfileCredentialsProvider profile =
        ProfileCredentialsProvider.builder().profileFile(file).profileName(name).build()) {
      AwsCredentials unused = profile.resolveCredentials();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of("; profile '%s': %s".formatted(name, e.getMessage()));
    }
  }

  /**
   * Disables queries of the instance metadata service outside EC2, where the SDK's chains would
   * wait for seconds for a link-local address.
   */
  private static void askInstanceOnlyOnEc2() {
    if (SdkSystemSetting.AWS_EC2_METADATA_DISABLED.getStringValue().isEmpty() && !Ec2.here()) {
      System.setProperty(SdkSystemSetting.AWS_EC2_METADATA_DISABLED.property(), "true");
    }
  }

  private static <T> T timely(String otherwise, Supplier<T> lookUp) {
    FutureTask<T> task = new FutureTask<>(lookUp::get);
    Thread thread = Thread.ofVirtual().name("aws-environment").start(task);
    try {
      return task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new MissingCredentialsException(
          "%s (nothing found within %d s)".formatted(otherwise, PATIENCE.toSeconds()), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof MissingCredentialsException missing) {
        throw missing;
      }
      if (e.getCause() instanceof SdkException || e.getCause() instanceof RuntimeException) {
        throw new MissingCredentialsException(otherwise, e.getCause());
      }
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new UsageException("interrupted while looking for AWS region and credentials", e);
    }
  }

  /**
   * Refuses an endpoint whose traffic others could read or change.
   *
   * @param insecureHosts the hosts that the user allows nevertheless
   */
  static void check(String service, URI endpoint, Set<String> insecureHosts) {
    String host = endpoint.getHost() == null ? "" : endpoint.getHost().toLowerCase(Locale.ROOT);
    if (host.isEmpty()) {
      // localhost:4566 is a URI, too: its scheme is localhost.
      if (endpoint.toString().matches("[A-Za-z0-9.-]+:[0-9]+")) {
        throw new UsageException(
            "the endpoint '%s' of %s has no scheme; expected http://%s or https://%s"
                .formatted(endpoint, service, endpoint, endpoint));
      }
      throw new UsageException(
          "the endpoint '%s' of %s has no host; expected one such as https://host:port"
              .formatted(endpoint, service));
    }
    boolean secure = "https".equalsIgnoreCase(endpoint.getScheme());
    boolean allowed = insecureHosts.stream().anyMatch(host::equalsIgnoreCase);
    if (!secure && !isLoopback(host) && !allowed) {
      throw new UsageException(
          ("the endpoint %s of %s is plain http and not on this machine; use https, or"
                  + " allow it with --insecure-endpoint %s")
              .formatted(endpoint, service, host));
    }
  }

  /**
   * Whether a literal address is loopback. Names are not resolved, because their addresses may
   * change.
   */
  static boolean isLoopback(String host) {
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }
}
