package io.cloudkon.core.memory.faults;

/** The ports of a cluster; each misbehaves by random numbers of its own. */
public enum Port {
  REQUESTS,
  RESPONSES,
  CLAIMS,
  WORKERS,
  RUNS,
  BLOBS,
  /** The queue of HPC jobs. */
  JOBS,
  /** The queue of ranks. */
  RANKS,
  LEDGER,
  DECISIONS
}
