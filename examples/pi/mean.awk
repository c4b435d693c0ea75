# awk -f mean.awk WORKLOAD RESULTS
# Mean and standard error of the estimates of pi, by the number of samples.

# the workload: line by line, java pi SEED SAMPLES
FILENAME == ARGV[1] {
  samples[FNR] = $4
  if ($4 != "" && !($4 in count)) {
    order[++rows] = $4
    count[$4] = 0
  }
  next
}

# the results, in any order: each names the line of its task
match($0, /"task":"[0-9]+"/) {
  n = samples[substr($0, RSTART + 8, RLENGTH - 9)]
  if (match($0, /"output":"[0-9.]+"/)) {
    estimate = substr($0, RSTART + 10, RLENGTH - 11)
    before = estimate - mean[n]
    mean[n] += before / ++count[n]
    squares[n] += before * (estimate - mean[n])
  }
}

END {
  print "  samples  estimates     mean  standard error"
  for (i = 1; i <= rows; i++) {
    n = order[i]
    if (count[n] > 1)
      printf "%9d  %9d  %.5f  %14.5f\n", n, count[n], mean[n], sqrt(squares[n] / (count[n] - 1) / count[n])
  }
}
