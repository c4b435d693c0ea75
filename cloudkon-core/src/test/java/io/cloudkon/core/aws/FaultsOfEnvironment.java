package io.cloudkon.core.aws;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Puts the {@link Faults} that {@value Faults#VARIABLE} asks for around the calls of a process on
 * whose class path it is; none if the variable is not set. Thread safe.
 */
public final class FaultsOfEnvironment implements HttpDecorator {
  private @Nullable Faults faults;

  /** The environment is read when the first client is made: only then is a mistake in it told. */
  @Override
  public synchronized SdkHttpClient around(SdkHttpClient client) {
    String asked = System.getenv().getOrDefault(Faults.VARIABLE, "");
    if (asked.isBlank()) {
      return client;
    }
    if (faults == null) {
      faults = Faults.parse(asked);
    }
    return faults.around(client);
  }
}
