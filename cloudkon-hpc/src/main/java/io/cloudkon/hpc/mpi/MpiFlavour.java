package io.cloudkon.hpc.mpi;

import java.util.List;
import java.util.Locale;

/** The implementation to which an mpiexec belongs, according to its {@code --version}. */
public enum MpiFlavour {
  /** MPICH with the Hydra process manager, the only one that is supported. */
  MPICH,
  /** Open MPI's, under any of the names it has had. */
  OPEN_MPI,
  /** Another program, or one that could not be run. */
  OTHER;

  /** The variable that names the mpiexec to use: a path, or a name on the PATH. */
  public static final String VARIABLE = "CLOUDKON_MPIEXEC";

  /** The names under which mpiexec is searched if none was given, the most specific first. */
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
