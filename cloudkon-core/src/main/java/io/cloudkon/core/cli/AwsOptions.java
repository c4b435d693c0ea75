package io.cloudkon.core.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.time.SystemTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of every command that talks to AWS, as a picocli mixin: {@code @Mixin AwsOptions
 * aws}.
 */
public final class AwsOptions {

  @Option(
      names = "--insecure-endpoint",
      paramLabel = "HOST",
      description = "Allow plain http to this host (repeatable).")
  List<String> insecureEndpoints = new ArrayList<>();

  @Option(
      names = "--bucket",
      paramLabel = "NAME",
      description = {
        "S3 bucket for large payloads: this account's, or NAME@ACCOUNT.",
        "Default: cloudkon-ACCOUNT-REGION."
      })
  @Nullable String bucket;

  /**
   * Read by {@link Cli} before anything else is parsed; declared here so that it is known and
   * appears in the help.
   */
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Read options from a properties file.")
  @Nullable Path config;

  /**
   * The arguments with which another command uses the same AWS; the configuration file is not
   * passed on.
   */
  public List<String> arguments() {
    List<String> all = new ArrayList<>();
    for (String host : insecureEndpoints) {
      all.add("--insecure-endpoint");
      all.add(host);
    }
    if (bucket != null) {
      all.add("--bucket");
      all.add(bucket);
    }
    return all;
  }

  /**
   * Connects to AWS, or to the endpoint in {@code AWS_ENDPOINT_URL}.
   *
   * @param time learns the service's clock
   * @throws io.cloudkon.core.error.UsageException if region or credentials are missing, an endpoint
   *     is not allowed, or the bucket's name is illegal
   */
  public AwsCloud connect(SystemTime time) {
    ProgramExit.usesSockets();
    return AwsCloud.connect(Set.copyOf(insecureEndpoints), bucket, time);
  }
}
