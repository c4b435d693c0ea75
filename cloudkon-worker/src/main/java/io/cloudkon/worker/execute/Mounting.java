package io.cloudkon.worker.execute;

/** Whether a worker provides shipped files by mounts ({@code --mounts}). */
public enum Mounting {
  /** Only if it may mount, and in a mount namespace of its own, which ends with it. */
  AUTO,
  /** Always; a worker that may not mount does not start. */
  ON,
  /** Never: shipped files are copied. */
  OFF
}
