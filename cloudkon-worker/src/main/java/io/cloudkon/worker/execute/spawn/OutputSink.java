package io.cloudkon.worker.execute.spawn;

/** Receives one of a command's outputs. Called by one thread at a time. */
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
   * Takes the next bytes.
   *
   * @param chunk the bytes; the caller reuses the array when this returns
   */
  void take(byte[] chunk, int count);

  /** Ends the output. Called at most once. */
  void end();
}
