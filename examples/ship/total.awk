# awk -f total.awk RESULTS
# Adds up the lines "COUNT WORD" that the tasks printed.

/"stdoutCut":true/ {
  print "some output was cut; run it again with a larger --capture" > "/dev/stderr"
  cut = 1
  exit
}

match($0, /"stdout":"[^"]*"/) {
  n = split(substr($0, RSTART + 10, RLENGTH - 11), lines, /\\n/) # a line's end in JSON
  for (i = 1; i <= n; i++)
    if (split(lines[i], part, " ") == 2)
      total[part[2]] += part[1]
}

END {
  if (cut)
    exit 1
  for (word in total)
    print total[word], word
}
