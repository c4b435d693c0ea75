package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.InstanceLauncher;
import java.util.Map;

/** Is told of launches as the launcher carries them out. */
public interface LaunchWatch {
  /**
   * A launch took place, for the first time under its token.
   *
   * @param count how many were asked for
   */
  void launched(
      String token, int count, Map<String, String> request, InstanceLauncher.Launch launch);

  /** The same call was made again. */
  void again(String token, int count, Map<String, String> request);
}
