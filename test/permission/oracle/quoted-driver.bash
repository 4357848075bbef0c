# Runs every text of /tmp/oracle/texts in bash and in dash. All words of commands are functions that write themselves and
# their words into a log, or are not found, which is written down, too. Nothing else can be started: PATH leads nowhere.
exec </dev/null >/dev/null 2>/dev/null
mapfile -d '' -t texts </tmp/oracle/texts
export HOME=/h PATH=/nowhere LOG NUMBER
cd /tmp/work || exit 1
for shell in bash dash; do
  LOG=/tmp/work.$shell
  for NUMBER in "${!texts[@]}"; do
    # A file for each, because what one text substitutes for a file may complain while the next one runs.
    "/bin/$shell" -c '. /tmp/oracle/prelude; eval "$1"' z "${texts[NUMBER]}" z </dev/null 2>"/tmp/errors.$NUMBER"
    mapfile -t errors <"/tmp/errors.$NUMBER"
    for error in "${errors[@]}"; do
      # What `.` cannot find is a file.
      [[ $error =~ ^[^:]*:\ (line\ )?[0-9]+:\ (eval:\ )?(.*):\ (command\ )?not\ found$ && ${BASH_REMATCH[3]} != .:* ]] &&
        printf '%s\t%s\036' "$NUMBER" "${BASH_REMATCH[3]}" >>"$LOG"
    done
  done
done
# What is substituted for a file may still run.
read -r -t 1 <> <(:)
/bin/cat /tmp/work.bash >/tmp/out/bash
/bin/cat /tmp/work.dash >/tmp/out/dash
