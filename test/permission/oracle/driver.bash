# Runs every text of /tmp/oracle/texts in bash and every fourth one in dash too, one at a time. The shell's own start tells which text
# follows: its number is the last argument. Only builtins are used here: whatever else appears in the trace was started
# by a text.
exec </dev/null >/dev/null 2>/dev/null
mapfile -d '' -t texts </tmp/oracle/texts
exec {pause}<> <(:)

# What a text left running in the background still belongs to it. What has ended and is not yet waited for runs nothing: this
# shell may come to hear of its children only when it waits.
others() {
  local path state
  running=()
  for path in /proc/[0-9]*; do
    [[ ${path#/proc/} -gt $$ ]] || continue
    state=
    read -r state <"$path/stat"
    [[ -z $state || $state = *') Z '* ]] || running+=("${path#/proc/}")
  done
  [[ ${#running[@]} -gt 0 ]]
}

for shell in bash dash; do
  for number in "${!texts[@]}"; do
    [[ $shell = dash && $((number % 4)) -ne 0 ]] && continue
    cd /tmp/work || exit 1
    (exec "/tmp/oracle/shells/$shell" -c "${texts[number]}" "$number") &
    for ((tries = 0; tries < 600; tries++)); do
      others || break
      read -r -t 0.001 -u "$pause"
    done
    # What is killed may just have started something else.
    for ((tries = 0; tries < 100; tries++)); do
      others || break
      kill -9 "${running[@]}"
      read -r -t 0.001 -u "$pause"
    done
    wait
  done
done
/tmp/oracle/shells/dash -c : end
