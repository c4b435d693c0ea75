/* mpi-ring ROUNDS: a token goes from rank to rank, so many times around, and each adds its number.
   Every rank prints what it passed on last; rank 0 checks the sum in the end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  long rounds = argc == 2 ? atol(argv[1]) : 0;
  if (rounds < 1) {
    if (rank == 0)
      fprintf(stderr, "usage: mpi-ring ROUNDS, a number of 1 or more\n");
    MPI_Finalize();
    return 2;
  }

  int before = (rank + size - 1) % size, after = (rank + 1) % size;
  long token = 0, passed = 0;
  for (long round = 0; round < rounds; round++) {
    if (rank == 0) {
      passed = token;
      MPI_Sendrecv(&passed, 1, MPI_LONG, after, 0, &token, 1, MPI_LONG, before, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&token, 1, MPI_LONG, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      passed = token + rank;
      MPI_Send(&passed, 1, MPI_LONG, after, 0, MPI_COMM_WORLD);
    }
  }
  printf("rank %d of %d passed on %ld\n", rank, size, passed);

  long expected = rounds * size * (size - 1) / 2;
  int wrong = rank == 0 && token != expected;
  if (wrong)
    fprintf(stderr, "the token came back as %ld, expected %ld\n", token, expected);
  MPI_Finalize();
  return wrong;
}
