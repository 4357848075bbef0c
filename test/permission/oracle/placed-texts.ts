/**
 * Places in which a shell may read a word once more than it looks: targets of redirections, subscripts, values of
 * variables that it counts with, words of its own commands. `§` stands for the word.
 */
const places = String.raw`
echo §; echo a§b; echo "a"§; echo ~§; echo *§; echo [§]; echo {a,§}; echo {1..§}; echo \\§
echo > §; echo >> §; echo >| §; echo >& §; echo 1>& §; echo 2>& §; echo &> §; echo &>> §; echo 3<> §; echo < §; echo <& §
m <<< §; m <<§ ↵x↵§; m <<E↵§↵E; m <<E↵${'$'}{x:-§}↵E; m <<'E'↵§↵E; m <<-E↵ §↵ E
x=§; x=§ m; x+=§ m; x[0]=§; x[§]=1; x=(§); x=([§]=1); x=([0]=§)
x=§¦echo $x; x=§¦echo "$x"; x=§¦echo ${'$'}{x[0]}; x=§¦echo ${'$'}{!x}; x=§¦echo ${'$'}{x@P}; x=§¦echo $((x)); x=§¦((x))
x=§¦[[ x -eq 1 ]]; x=§¦[[ $x == a ]]; x=§¦y[x]=1; x=§¦let x; x=§¦eval $x; x=§¦$x; x=§¦declare $x; x=§¦m <<< $x; x=§¦echo >& $x
echo ${'$'}{x:-§}; echo "${'$'}{x:-§}"; echo ${'$'}{x:=§}; echo ${'$'}{x:?§}; echo ${'$'}{x+§}; echo ${'$'}{s#§}; echo ${'$'}{s%%§}
echo ${'$'}{s/§/b}; echo ${'$'}{s/a/§}; echo ${'$'}{s:§}; echo ${'$'}{s:0:§}; echo ${'$'}{s^^§}; echo ${'$'}{x[§]}; echo ${'$'}{#x[§]}
echo $((§)); echo $[§]; ((§)); [[ § ]]; [[ -n § ]]; [[ a == § ]]; [[ § == a ]]; [[ a =~ § ]]; [[ a < § ]]; [[ 1 -eq § ]]
[[ -f § ]]; [[ -v § ]]; [[ -o § ]]; [[ a -nt § ]]; [ § ]; [ 1 -eq § ]; [ -v § ]; [ -o § ]; test -R §; test §
for x in §¦do echo $x¦done; for x in a¦do echo §¦done; for ((i=§¦i<1¦i++))¦do echo¦done; for RANDOM in §¦do echo¦done
for PS4 in §¦do set -x¦m¦done; for OPTIND in §¦do m¦done; select x in §¦do break¦done <<< 1; select RANDOM in §¦do break¦done <<< 1
case § in a) m¦¦ esac; case a in §) m¦¦ esac; case a in a) echo §¦¦ esac; if echo §¦then m¦fi; while echo § && false¦do m¦done
coproc { echo §¦}; coproc x { echo §¦}; (echo §); { echo §¦}; ! echo §; time echo §; echo a | m §; echo § | m; echo § &
f() { echo §¦}¦f; f() { echo $1¦}¦f §; f() { m¦} > §¦f; f() { m¦} >& §¦f; f() { local x=§¦}¦f; f() { local -i x=§¦}¦f; f() { return §¦}¦f
set -- §¦echo $1; set -- §¦shift $1; shift §; exit §; export §; export x=§; declare §; declare x=§; declare -i x=§; declare -n x=§¦echo $x
readonly x=§; typeset x=§; unset §; unset x[§]; let §; let x=§; read § <<< x; read -t § x <<< y; read -a § <<< y; read RANDOM <<< §
mapfile § <<< x; mapfile -C § -c 1 x <<< y; mapfile -O § x <<< y; printf §; printf %d §; printf -v § x; printf -v x §; printf '%*s' § x
getopts a § -a; getopts § x -a; wait §; wait -n -p §; kill -l §; ulimit -n §; umask §; cd §; pushd §; dirs §; type §; command §; command -v §
builtin §; hash §; hash -p § x; alias x=§; alias x=§↵x; trap § EXIT; trap § DEBUG; shopt -s §; set -o §; set §; enable §; history -s §
fc -s §; bind §; complete -W § x; compgen -W §; compgen -C §; compgen -A §; caller §; jobs -x m §; exec > §; exec >& §; exec {x}> §
eval §; eval echo §; . §; source §; PS4=§¦set -x¦m; echo $(echo §); echo "$(echo §)"; echo ${'`'}echo §${'`'}; m <(echo §); echo > >(m §)
`;

/** Words of which a shell that reads them once runs nothing. */
const payloads = [
  "'$(z1)'",
  "'`z1`'",
  "'a[$(z1)]'",
  '"a[\\$(z1)]"',
  '\\$\\(z1\\)',
  "'${a[$(z1)]}'",
  "'z1'",
  "'x;z1'",
  '\'"$(z1)"\'',
  "'a[$(z1)]=1'",
];

/** `¦` stands for a semicolon within a text, `↵` for the end of a line. */
export const placedTexts: readonly string[] = places
  .split(/;|\n/)
  .map((place) => place.trim().replaceAll('¦', ';').replaceAll('↵', '\n'))
  .filter((place) => place !== '')
  .flatMap((place) => payloads.map((payload) => place.replaceAll('§', () => payload)));
