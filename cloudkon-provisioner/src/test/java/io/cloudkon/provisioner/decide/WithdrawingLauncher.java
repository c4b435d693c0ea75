package io.cloudkon.provisioner.decide;

import io.cloudkon.core.port.InstanceLauncher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A launcher of one machine, which can make sure that a launch is never made. */
final class WithdrawingLauncher extends ForwardingLauncher {
  private final String machine;
  private final List<String> withdrawn = new ArrayList<>();

  WithdrawingLauncher(InstanceLauncher launcher, String machine) {
    super(launcher);
    this.machine = machine;
  }

  List<String> withdrawn() {
    return List.copyOf(withdrawn);
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
}
