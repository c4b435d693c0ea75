package io.cloudkon.core.testing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What the contract suites of the AWS adapters run against: {@value #PROPERTY} names it. */
public enum Target {
  /** The embedded emulator, which the tests start themselves. The default. */
  EMULATOR("the embedded emulator"),

  /** LocalStack, where {@code AWS_ENDPOINT_URL} says that it runs, or else in Docker. */
  LOCALSTACK("LocalStack"),

  /** AWS itself, with the default chains' region and credentials. It costs money. */
  AWS("AWS");

  /** The system property. */
  public static final String PROPERTY = "cloudkon.contract";

  private final String spoken;

  Target(String spoken) {
    this.spoken = spoken;
  }

  /**
   * The one that {@value #PROPERTY} names.
   *
   * @throws IllegalArgumentException if it names none
   */
  public static Target chosen() {
    String name = System.getProperty(PROPERTY, EMULATOR.label());
    return Arrays.stream(values())
        .filter(target -> target.label().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "-D%s=%s names no target; expected one of %s"
                    .formatted(
                        PROPERTY,
                        name,
                        Arrays.stream(values())
                            .map(Target::label)
                            .collect(Collectors.joining(", ")))));
  }

  /**
   * Where it answers. The emulator is started for it, and so is LocalStack in Docker; of one that
   * runs it is asked whether it is LocalStack.
   */
  public Reach reach() {
    return switch (this) {
      case EMULATOR -> new Reach.At(this, spoken, EmulatorProcess.shared().environment());
      case LOCALSTACK -> LocalStack.reach();
      case AWS -> aws();
    };
  }

  /** Its own endpoints only: the chains would follow any other without a word. */
  private static Reach aws() {
    for (String variable : SdkSettings.ENDPOINTS) {
      if (SdkSettings.value(variable).isPresent()) {
        return new Reach.Nowhere(AWS, variable + " points elsewhere; unset it");
      }
    }
    return new Reach.At(AWS, AWS.spoken, Map.of());
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return spoken;
  }
}
