package io.cloudkon.hpc.rmi;

/**
 * The stub of a gang's sub-worker on another worker.
 *
 * @param times the factor by which the timeouts of its calls are multiplied
 */
record SubWorkerStub(Stubs stubs, Address address, String secret, int times)
    implements SubWorkerPort {

  @Override
  public void ping(String gang) {
    Check.token("gang", gang);
    boolean unused = stubs.call(address, "ping", 0, times, remotes -> remotes.ping(gang, secret));
  }

  @Override
  public Standing start(String gang, StartRanks start) {
    Check.token("gang", gang);
    return stubs.call(
        address, "start", start.payload(), times, remotes -> remotes.start(gang, secret, start));
  }

  @Override
  public void kill(String gang, KillRanks kill) {
    Check.token("gang", gang);
    boolean unused =
        stubs.call(address, "kill", 0, times, remotes -> remotes.kill(gang, secret, kill));
  }

  @Override
  public void dissolve(String gang) {
    Check.token("gang", gang);
    boolean unused =
        stubs.call(address, "dissolve", 0, times, remotes -> remotes.dissolve(gang, secret));
  }

  @Override
  public boolean deliver(String gang, RankMessage message) {
    Check.token("gang", gang);
    return stubs.call(
        address,
        "deliver",
        message.payload(),
        times,
        remotes -> remotes.deliver(gang, secret, message));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "sub-worker at " + address;
  }
}
