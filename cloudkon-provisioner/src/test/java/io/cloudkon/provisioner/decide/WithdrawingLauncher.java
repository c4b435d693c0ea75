package io.cloudkon.provisioner.decide;

import io.cloudkon.core.memory.MemoryInstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A launcher of one machine, which can make sure that a launch is never made. */
final class WithdrawingLauncher implements InstanceLauncher {
  private final MemoryInstanceLauncher launcher;
  private final String machine;
  private final List<String> withdrawn = new ArrayList<>();

  WithdrawingLauncher(MemoryInstanceLauncher launcher, String machine) {
    this.launcher = launcher;
    this.machine = machine;
  }

  List<String> withdrawn() {
    return List.copyOf(withdrawn);
  }

  @Override
  public String name() {
    return launcher.name();
  }

  @Override
  public Map<String, String> request() {
    return Map.of("machine", machine);
  }

  @Override
  public boolean serves(Map<String, String> request) {
    return machine.equals(request.get("machine"));
  }

  @Override
  public boolean withdraw(String token) {
    return withdrawn.add(token);
  }

  @Override
  public Launch launch(String token, int count, Map<String, String> request) {
    return launcher.launch(token, count, request);
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
