package io.cloudkon.provisioner.decide;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import java.util.List;
import java.util.Map;

/** A launcher that leaves everything to another one; subclasses change some of it. */
class ForwardingLauncher implements InstanceLauncher {
  private final InstanceLauncher launcher;

  ForwardingLauncher(InstanceLauncher launcher) {
    this.launcher = launcher;
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
    return launcher.launch(token, count, request);
  }

  @Override
  public boolean serves(Map<String, String> request) {
    return launcher.serves(request);
  }

  @Override
  public boolean withdraw(String token) {
    return launcher.withdraw(token);
  }

  @Override
  public List<LaunchedInstance> instances() {
    return launcher.instances();
  }

  @Override
  public String explanation(String instance) {
    return launcher.explanation(instance);
  }

  @Override
  public void terminate(List<String> instances) {
    launcher.terminate(instances);
  }
}
