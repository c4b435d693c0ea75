# Becomes a worker, once: $1 its file, $2 its log, $3 its command, for a shell.
# Whoever links the file owns the instance; the file holds the process's number and what tells it from a later process
# of that number. So the same launch made twice, by whichever provisioner, starts one process.
boot=''
stat=''
if [ -r /proc/$$/stat ]; then
  IFS= read -r stat </proc/$$/stat
  IFS= read -r boot </proc/sys/kernel/random/boot_id
fi
printf '%s\n%s\n%s\n' "$$" "$boot" "$stat" >"$1.$$" && ln "$1.$$" "$1" 2>/dev/null
owner=$?
rm -f "$1.$$"
[ $owner -eq 0 ] || exit 125
exec >>"$2" 2>&1
exec /bin/sh -c "$3"
