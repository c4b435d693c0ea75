package io.cloudkon.provisioner.decide;

import io.cloudkon.core.memory.MemoryInstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.TransientServiceException;
import java.util.List;
import java.util.Map;

/** A launcher whose launches are never answered, while everything else works. */
final class UnansweredLauncher implements InstanceLauncher {
  private final MemoryInstanceLauncher launcher;
  private int asked;

  UnansweredLauncher(MemoryInstanceLauncher launcher) {
    this.launcher = launcher;
  }

  /** How many launches were asked for. */
  int asked() {
    return asked;
  }

  @Override
  public String name() {
    return launcher.name();
  }

  @Override
  public Map<String, String> request() {
    return launcher.request();
  }

  @Override
  public Launch launch(String token, int count, Map<String, String> request) {
    asked++;
    throw new TransientServiceException("EC2 had an error of its own", null);
  }

  @Override
  public List<LaunchedInstance> instances() {
    return launcher.instances();
  }

  @Override
  public void terminate(List<String> instances) {
    launcher.terminate(instances);
  }
}
