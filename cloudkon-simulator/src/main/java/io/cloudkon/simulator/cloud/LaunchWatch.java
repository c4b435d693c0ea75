package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.InstanceLauncher;
import java.util.Map;

/** Receives launches as the launcher carries them out. */
public interface LaunchWatch {
  /**
   * Called when a launch took place for the first time under its token.
   *
   * @param count the number of instances that were requested
   */
  void launched(
      String token, int count, Map<String, String> request, InstanceLauncher.Launch launch);

  /** Called when the same launch was requested again. */
  void again(String token, int count, Map<String, String> request);
}
