package io.cloudkon.hpc.mpi;

import java.util.List;
import java.util.Locale;

/** Whose mpiexec it is, from what it says of itself when asked for its {@code --version}. */
public enum MpiFlavour {
  /** MPICH's, with the Hydra process manager: the one that can be used. */
  MPICH,
  /** Open MPI's, under any of the names it has had. */
  OPEN_MPI,
  /** Something else, or nothing that ran. */
  OTHER;

  /** The variable that names the mpiexec to use: a path, or a name on the PATH. */
  public static final String VARIABLE = "CLOUDKON_MPIEXEC";

  /** What it may be called where nobody named it, the surest first. */
  public static final List<String> NAMES = List.of("mpiexec.hydra", "mpiexec.mpich", "mpiexec");

  /** Reads what {@code mpiexec --version} printed. */
  public static MpiFlavour of(String version) {
    String text = version.toLowerCase(Locale.ROOT);
    if (text.contains("hydra build details")) {
      return MPICH;
    }
    boolean open =
        text.contains("open mpi")
            || text.contains("openrte")
            || text.contains("open-mpi")
            || text.contains("prrte");
    return open ? OPEN_MPI : OTHER;
  }
}
