package io.cloudkon.worker.execute.spawn;

/** Takes what a command writes to one of its outputs. Called by one thread at a time. */
public interface OutputSink {
  /** Drops everything. */
  OutputSink NONE =
      new OutputSink() {
        @Override
        public void take(byte[] chunk, int count) {}

        @Override
        public void end() {}
      };

  /**
   * The next bytes.
   *
   * @param chunk the caller's again when this returns
   */
  void take(byte[] chunk, int count);

  /** Nothing comes any more. Called at most once. */
  void end();
}
