/* mpi-pi INTERVALS: pi as the area under 4 / (1 + x^2) from 0 to 1. Each rank adds up every n-th
   interval, and a reduction adds up the ranks' sums at rank 0, which prints the result. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  long intervals = argc == 2 ? atol(argv[1]) : 0;
  if (intervals < 1) {
    if (rank == 0)
      fprintf(stderr, "usage: mpi-pi INTERVALS, a number of 1 or more\n");
    MPI_Finalize();
    return 2;
  }

  double width = 1.0 / intervals, sum = 0, pi = 0;
  for (long i = rank; i < intervals; i += size) {
    double x = (i + 0.5) * width;
    sum += 4 / (1 + x * x);
  }
  sum *= width;
  MPI_Reduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pi is %.10f, by %d ranks\n", pi, size);

  MPI_Finalize();
  return 0;
}
