/** What each known program may do under a rule for its name, and what asks all the same. */

const programs =
  'rg,grep,ag,ack,fd,sort,tree,wc,du,date,file,jq,gojq,jaq,yq,iconv,xmllint,diff,tar,zip,unzip,curl,npm,yarn,pnpm,pytest,jest,vitest,mocha,eslint,prettier,tsc,cargo,go,gcc,rustc,ruff,mypy,black,make,ctags,patch,gh,split,shuf,node,nodejs,node20,python,python3.12,pypy3,perl,ruby,php,lua,luajit,bun,deno,tsx,ts-node,Rscript,R,julia,java,groovy,scala,elixir,ghc,tclsh,expect,pip,pip3,gem,bundle,composer,corepack,dotnet,rustup,nvm,fnm,volta,asdf,mise,npx,pnpx,bunx,just,rake,gradle,mvn,ant,ninja,task,gulp,gmake,gawk,mawk,awk,gsed,sed,gfind,find,bsdtar,egrep,zgrep,fgrep,ripgrep,fdfind,py.test,g++,cc,c++,clang,clang++,gdiff,git,sh,bash,dash,zsh,tee,cp,mv,install,ln,uniq,xxd,hostname,trash,trash-put,gio,hg,svn,jj,fossil,darcs,bzr,grm,srm,shred,wipe,dd,wipefs,fdisk,mkfs.ext4,mke2fs,xargs,gxargs,timeout,gtimeout,env,genv,nice,nohup,stdbuf,setsid,ionice,command,builtin,exec,time,chrt,busybox,toybox,less,zless,more,most,man,vim,sudo,ssh,parallel,systemctl,gzip,kill,echo,printf,test,[,wait,pwd,cd,type,which,eval,bat,batcat,fzf,ssh-keygen,protoc,cmake,ctest,openssl,ts,http,https,xh,xhs,bazel,bazelisk,buck2,latexmk,latex,tex,pdftex,pdflatex,xelatex,lualatex,chronic,ifne,ccache,sccache,distcc,pee,mispipe,sponge,fallocate,pandoc,strip,convert,gs,rsync,7z,7zz,bsdunzip,quilt,dtrx,cpio,git-clean,git-log,git-shell,ssh-agent,logsave,wget,lerna,ls,python -m json.tool,python -m tarfile,python -m zipfile,python -m sqlite3,source,.,watch,trap,alias,set,read,export,rm'.split(
    ',',
  );
/** Programs that start others, run code that stands in their words, load some, or overwrite what they are given. */
const starters =
  'c8,nyc,opam,cabal,stack,dune,coverage,mix,clojure,clj,swift,cloc,flake8,phpunit,rails,bin/rails,rspec,sbt,ugrep,mkdocs,sphinx-build,vite,webpack,rollup,playwright,zig,dart,nim,kotlin,kotlinc,crystal,jupyter,pylint,pdm,rye,hatch,uv,poetry,pipenv,conda,rbenv,direnv,nix,cross-env,dotenv,doppler,op,aws-vault,kubectl,docker,watchexec,entr,hyperfine,concurrently,npm-run-all,flock,unbuffer,script,perf,valgrind,gdb,strace,ltrace,rr,heaptrack,faketime,fakeroot,proot,firejail,systemd-run,at,batch,crontab,infisical,iex,erl,runghc,runhaskell,ocaml,bb,jshell,guile,racket,sbcl,emacs,osascript,m4,sqlite3,mysql,redis-cli,gnuplot,octave,dc,bc,ftp,nc,socat,raku,hy,pg_dump,pg_dumpall,mysqldump,qpdf,svgo,pngcrush,indent,golangci-lint,pre-commit,cypress,flask,biome,stylelint,prog,tape,javac,cucumber,rubocop,pygmentize,postcss,robot,scons,tsup,xcrun,libtool,ldd,yosys,jar,mail'.split(
    ',',
  );
export const programRules: readonly string[] = [
  ...[...programs, ...starters].map((program) => `Bash(${program} *)`),
  'Bash(coverage run -m pytest *)',
  'Bash(uv run pytest *)',
  'Bash(uv run python *)',
  'Bash(uv run rm *)',
  'Bash(uv run bash *)',
  'Bash(uv run uv *)',
  'Bash(poetry run black *)',
  'Bash(bundle exec rspec *)',
  'Bash(pipenv run pytest *)',
  'Bash(pdm run build *)',
  'Bash(rye run build *)',
  'Bash(python -m uv *)',
  'Bash(python -m pre_commit *)',
  'Bash(python -m django *)',
  'Bash(python -m coverage *)',
  'Bash(python -m pudb *)',
  'Bash(python -m py_spy *)',
  'Bash(npx c8 *)',
  'Bash(npx concurrently *)',
  'Bash(npx nodemon *)',
  'Bash(npx svgo *)',
  'Edit(src/**)',
];

const list = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));

export const programAllowed: readonly string[] = list(`
uv run pytest -x tests
uv run python src/a.py
poetry run black .
bundle exec rspec spec/a_spec.rb
pipenv run pytest
pdm run build
rye run build x
python -m pre_commit run
python -m django check
python -m coverage xml -o x.xml
gcc -o src/a src/a.c
gcc -oprog src/a.c
gcc -Wall -Iinclude -I inc -isystem sys -c src/a.c
cmake -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 -DBUILD_TESTING=ON -DWITH_X=0
go test -cover ./...
go test -coverprofile=c.out ./...
gh pr create --title x --body y
gh issue list --label deleted
gradle test --tests Foo --info --console=plain
gradle :app:test
mvn -ntp test -Dtest=FooTest#bar
mvn install -DskipTests -DskipITs=true
make --output-sync=target test
git config user.name
git config --get user.name
awk 'NR >= 10 && NR <= 20' src/a.ts
awk '$3 > 5' src/a.ts
awk 'sys||tem { print }' src/a.ts
awk '$3 > 5 { print $1 }' src/a.ts
awk '/a/ || $1 >= 2 { if ($2 >= 3 || $1) print }' src/a.ts
pytest --md-report --testmon
cargo clippy -- -D warnings
cargo test -- -Zunstable-options
golangci-lint run --timeout 5m
just test a b
python -m json.tool package.json
prog --page 2 --view x --progress --ext ts
prog --bo x
git switch main
git switch -c m
gio info src/a.ts
hg status
hg diff
svn update
jj log
fossil info
darcs whatsnew
bzr status
rg foo src
grep -rn foo src
ag foo src
ack foo src
fd foo
sort -u src/a.ts
tree -L 2
wc -l src/a.ts
du -sh src
date +%F
file src/a.ts
jq -r .name package.json
jq .env package.json
jq '.[] | {file:.a[0]}' package.json
gojq .name package.json
jaq .name package.json
curl -s 'https://example.com/{a,b}/[1-3]'
yq .name src/a.yml
iconv -t utf-8 src/a.ts
xmllint --noout src/a.xml
diff -u src/a.ts src/b.ts
tar -tzf src/a.tgz
tar tf src/a.tar
tar --list
zip -r src/new.zip src
unzip -l src/a.zip
curl -s https://example.com/
curl --compressed https://example.com/
curl --no-progress-meter https://example.com/
npm test
npm ls
npm -v
npm
yarn list
yarn --version
pnpm list
pytest -q --tb=short --maxfail=1 --co
pytest --collect-only --cov --color=yes --durations=3 --no-header
jest --coverage --ci --bail
jest --cache --no-coverage
vitest run --coverage --reporter=dot
vitest --run --reporter=verbose
vitest --reporter=default --reporter=json --reporter=basic
mocha src/a.ts
eslint --fix src
eslint --cache --fix-dry-run src
prettier --check src
tsc --noEmit --pretty
cargo test
cargo b
cargo c
cargo tree
go test ./src/...
go vet ./src/...
gcc -c src/a.c
rustc --version
ruff check src
mypy src
black --check src
make -j4 test
make --version
make
gmake test
ctags -R src
patch --dry-run -p1
gh pr list
shuf src/a.ts
node src/a.ts --eval
node --test
node --test src/a.ts
node --check src/a.ts
node --test-only --test src/a.ts
node --test --test-reporter=spec
node --test --test-reporter=tap src
node --test --test-reporter=dot src
node --no-warnings src/a.ts
node --max-old-space-size=4096 src/a.ts
node --version
node -v
nodejs src/a.ts
node20 src/a.ts
python src/a.py -c
python -B -u src/a.py
python -W ignore src/a.py
python -X dev src/a.py
python -Werror src/a.py
python3.12 src/a.py
python --version
python -V
pypy3 src/a.py
perl -w src/a.pl
perl -v
ruby -w src/a.rb
ruby -W1 src/a.rb
ruby --version
php src/a.php
php -v
lua src/a.lua
lua -v
luajit src/a.lua
bun src/a.ts
bun test
bun --version
deno src/a.ts
deno --version
deno lint
tsx src/a.ts
ts-node src/a.ts
Rscript src/a.R
R src/a.R
julia src/a.jl
julia --version
java -jar src/a.jar
java -ea -Dx=y -Xmx1g src/A.java
java -version
groovy src/a.groovy
scala src/a.scala
elixir src/a.exs
ghc src/a.hs
tclsh src/a.tcl
expect src/a.exp
dotnet build
just test
rake test
gradle -q test
gradle -k -v test
mvn test
ant test
ninja -j4 all
task test
gulp build
gawk '{ print $1 }' src/a.ts
mawk -F: '{ print $1 }' src/a.ts
awk -F , '{ print $1 }' src/a.ts
gsed -n 1p src/a.ts
sed s/a/b/ src/a.ts
sed -e s/a/b/ -e 2d src/a.ts
sed '/a/,/b/p' src/a.ts
sed '1,+2p' src/a.ts
sed 's|a|b|g; s#a#b#; $!d' src/a.ts
sed -nE --posix --debug 's/(a)/\\1/p' src/a.ts
gfind . -name a
find src -maxdepth 1 -type f -size 1 -mtime 1 -mmin 1 -perm 644 -newermt /etc -printf /x
find . -iname /etc/x -path /etc/x -ipath /x -regex /x -iregex /x -wholename /x -iwholename /x -lname /x -ilname /x -regextype /x -mindepth 1
bsdtar -tf src/a.tar
egrep foo src/a.ts
zgrep foo src/a.ts
fgrep foo src/a.ts
ripgrep foo src
fdfind foo
py.test -q
g++ -c src/a.cc
cc -c src/a.c
c++ -c src/a.cc
clang -c src/a.c
clang++ -c src/a.cc
gdiff src/a.ts src/b.ts
sh src/a.sh
zsh src/a.sh
tee src/new.ts
tee -a src/a.ts
tee --append src/a.ts
cp src/a.ts src/new.ts
cp -r src/a.ts src/new
cp -rp src/a.ts src/new
cp -pr src/a.ts src/new
cp -R src/a.ts src/new
cp -a src/a.ts src/new
cp --recursive src/a.ts src/new
cp --archive src/a.ts src/new
mv src/a.ts src/new.ts
install src/a.ts src/new.ts
ln src/a.ts src/new.ts
ln -s a.ts src/new.ts
uniq src/a.ts
uniq -c
xxd src/a.ts
hostname
timeout 5 node src/a.ts
timeout -k 5 --foreground 5 node src/a.ts
gtimeout 5 node src/a.ts
genv node src/a.ts
env
env CI=1 TZ=UTC LC_ALL=C node src/a.ts
nice node src/a.ts
nice -n 5 node src/a.ts
nohup node src/a.ts
stdbuf -oL node src/a.ts
setsid node src/a.ts
ionice -c 3 node src/a.ts
command node src/a.ts
command -v node
builtin echo a
exec node src/a.ts
time node src/a.ts
echo /etc/passwd
printf '%s' /etc/passwd
test -f src/a.ts
[ -f src/a.ts ]
wait
pwd
cd src
type node
which node
git
git --version
git -v
git --help
git -h
git --no-pager
git --no-pager log
git --no-optional-locks status
git --literal-pathspecs log
git config --get user.name
git config --get-all a.b
git config --list
git config -l
git config get a.b
git config list
git config --list --show-origin
git config --name-only --list
git config --show-scope --list
git remote
git remote -v
git remote --verbose
git remote show origin
git remote get-url origin
git submodule status
git notes list
git notes show
git diff --text
git log --patch -S foo -p
git log --author /x --grep /x --since /x --until /x --format /x --pretty /x -G /x
git log --author=/x --grep=/x --since=/x --until=/x --format=/x --pretty=/x
git show --format=/x HEAD
git shortlog --author /x
git blame src/a.ts
git rev-parse HEAD
git rev-list HEAD
git ls-files
git status
git commit -m /etc/x
git commit -m "$X"
git commit -am /etc/x
git commit --message /etc/x
git commit --message=/etc/x
git commit --signoff -m x
git tag -m /etc/x v1
git merge -m /etc/x b
git grep -n /etc/x src
git grep -i -l foo
git grep foo
git grep -n
git grep --count foo src
git add src/a.ts
git fetch origin
git fetch -f origin
git fetch origin +refs/heads/*:refs/remotes/origin/*
git fetch -f origin main:refs/remotes/origin/main
git fetch https://example.org/x.git main
git fetch --shallow-since='2 weeks ago' origin
git pull
git push origin main
git push origin HEAD~1:refs/heads/b
git cherry-pick a
git revert a
git branch b
git branch --list
git tag v1
git checkout -b x
git checkout --orphan x
git checkout main
git checkout -q feature/x
git checkout -
git restore --staged src/a.ts
git restore -S src/a.ts
git switch b
git switch -c b
git clean -n
git clean --dry-run
git clean -fn
git stash list
git stash show
git worktree list
git worktree add src/x
git rm --cached src/a.ts
git mv src/a.ts src/new.ts
git reflog
git reflog show
git reset HEAD src/a.ts
git reset --soft HEAD~1
git merge b
git blame -L 1,2 src/a.ts
git hash-object src/a.ts
git cat-file -p HEAD
git cat-file --batch-check
git describe --tags
git ls-remote origin
git ls-remote https://example.com/x
command time -p node src/a.ts
command time -v node src/a.ts
setsid -w node src/a.ts
setsid --fork node src/a.ts
timeout -v 5 node src/a.ts
timeout --preserve-status -k5s -sKILL 5 node src/a.ts
timeout --kill-after=5 --signal=KILL 5 node src/a.ts
timeout --kill-after 5 --signal KILL -s TERM 5 node src/a.ts
nice -n5 node src/a.ts
nice -5 node src/a.ts
nice --adjustment=5 node src/a.ts
nice --adjustment 5 node src/a.ts
ionice -t -c2 -n7 node src/a.ts
ionice -c 2 -n 7 node src/a.ts
stdbuf -i0 -o L -e 0 node src/a.ts
stdbuf --output=L node src/a.ts
command -p node src/a.ts
exec -cl node src/a.ts
env -- node src/a.ts
env --null
env -0 node src/a.ts
nohup -- node src/a.ts
sed 1p -
sed 1p src/a.ts -
sed 1p src/*
rg -A 3 /x src
rg -t ts -m 1 -B 2 -C 2 /x src
rg -n --glob=x --type=ts --max-count=1 --hidden /x src
grep -A 3 -m 1 /x src/a.ts
grep -nE --include=x --color=never /x src/a.ts
grep --line-number --ignore-case --count /x src/a.ts
git clean -fdxn
git clean --dry
git clean -nfd -e x
git clean -qfdxe x -n
git clean -n --exclude=x --exclude y -X
git restore --stag src/a.ts
git restore -qS --source=HEAD --progress -- src/a.ts
git restore -s HEAD --no-worktree --staged src/a.ts
git rm -rq --cached src/a.ts
git rm --no-force --cached src/a.ts
git checkout -q -b x origin/main
git checkout --track -b x origin/main
git checkout --orph x
git fetch -p origin
git fetch --prune origin refs/heads/main:remotes/origin/main
git fetch --all --prune --tags
git fetch -f --no-tags origin main
git fetch --depth 1 origin main:refs/remotes/origin/main
git fetch git@example.org:a/b.git main
git fetch --multiple origin other
git pull --ff-only
git pull --rebase=merges origin main
git remote -v show origin
git reflog show b
cp -r x src/new
cp -r x/y dir
cp -R x/y dir
cp -a x/y dir
mv x dir
install -d dir
unzip -t src/a.zip
unzip -p src/a.zip
unzip -Z src/a.zip
python -m json.tool src/a.ts
python -m json.tool --indent 2 --sort-keys src/a.ts
python -m json.tool src/a.ts src/new.ts
python -m tarfile -l src/a.tar
python -m tarfile --filter data -e src/a.tar src/new
python -m zipfile -e src/a.zip src/new
python -m zipfile -t src/a.zip
python -m zipfile -c src/new.zip src
pytest --cov-report=term-missing --cov=src
gcc -c -O2 -g -Wall -Wextra -std=c11 -fPIC -D X -DY=1 -pthread src/a.c
gcc -x c -fsyntax-only src/a.c
gcc -E src/a.c
curl -sSfL -H 'Accept: x' -A x https://example.com/
curl -m 5 -sw '%{http_code}' --retry 3 --max-time 5 https://example.com/
curl -HAccept:x https://example.com/
pandoc src/a.md
pandoc src/a.md -o src/new.html
bat -n --style=plain src/a.ts
bat -
bat -- src/a.ts
ssh-keygen -l
batcat -l ts -r 1:2 src/a.ts
fzf -e -f x
ssh-keygen -lf src/a.pub
ssh-keygen -E md5 -lf src/a.pub
protoc -I src --version
protoc --proto_path=src --decode_raw
cmake -S . -B src/build
cmake --build src/build -j4 --target all
cmake -E echo x
cmake -E md5sum src/a.ts
ctest --output-on-failure -R x
openssl version
openssl x509 -in src/a.crt -noout -text
ts '%H:%M'
ts -s '%H'
http https://example.com/?a=b
http GET https://example.com/ q==x Accept:x
https -b example.com
xh example.com
xhs --follow example.com
bazel build :x
bazelisk test -k :x
buck2 query :x
latexmk -pdf -silent src/a.tex
pdflatex -interaction=batchmode src/a.tex
latex src/a.tex
tex src/a.tex
pdftex src/a.tex
xelatex src/a.tex
lualatex src/a.tex
chronic -v ls
ifne -n ls
ccache gcc -c src/a.c
sccache gcc -c src/a.c
distcc gcc -c src/a.c
npm t
npm --silent test
npm view x
npm vie x
npm helpSearch x
mvn -q -B test
ant -q x
ninja -v -n
gradle -l test
go list ./src
gh issue list
dotnet test
yarn --silent list
python -m json.tool - < src/a.ts
sponge src/new.ts
sponge -a src/a.ts
ls -o src/a.ts
convert src/a.png src/new.png
strip src/new
gs -sOutputFile=src/new.pdf src/a.ps
c8 npm test
c8 --all --reporter=lcov node src/a.ts
nyc --silent npm test
npx c8 npm test
cabal test
cabal build
cabal exec ls
stack test
dune build
dune exec -- node src/a.ts
opam exec -- ls
opam list
mix test
mix compile --warnings-as-errors
swift build -c release
swift test
swift run
zig build test
dart test
crystal spec
sbt test
sbt 'testOnly foo.Bar'
rails test
bin/rails routes
nim c src/a.nim
kotlin src/a.kts
coverage run -m pytest -q
coverage report
pylint src
flake8 src
rspec src/a_spec.rb
phpunit --filter x src
webpack --mode production
rollup -c
vite build
playwright test src/a.spec.ts
mkdocs build
sphinx-build src src/new
jupyter nbconvert src/a.ipynb
ugrep foo src
cloc src
pandoc -s -f markdown -o src/new.html src/a.md
golangci-lint run ./...
pre-commit run --all-files
pre-commit run ruff
cypress run
flask run --port 5000
biome check .
stylelint src/a.css
prog build --verbose
prog -e prod
prog -m 'a (b)'
prog -o src/new.ts
raku src/a.raku
hy src/a.hy
bb src/a.clj
pg_dump x
pg_dump -f src/new.ts x
qpdf --check src/a.pdf
javac -d src/new src/A.java
rubocop src
cucumber src
tsup src/a.ts
`);

export const programAsked: readonly string[] = list(`
uv run pytest -p x
uv run pytest ../x
uv run python -c 1
uv run rm src/a.ts
uv run bash -c x
uv run uv run x
uv run --with x pytest
uv run -m pytest
uv run $X
uv run x
uv pip install x
uv add pytest
poetry add black
bundle install rspec
bundle exec rails console
pipenv shell
pdm exec build
python -m uv run x
python -m uv run pytest
python -m uv pip install x
python -m django shell -c x
python -m coverage xml -o src/a.ts
python -m coverage run x.py
python -m pudb x
python -m py_spy x
node --test --test-rerun-failures=src/a.ts
node --test --test-rerun-failures src/a.ts
pytest --csv src/a.ts
pytest --excelreport=x
pytest --md-report-output x
pytest --testmon-datafile=x
pytest --durations-path=x
pytest --pstats-dir x
golangci-lint run -c x
golangci-lint run --output.json.path=x
golangci-lint run --out-format json:x
golangci-lint run --cpu-profile-path x
golangci-lint run --mem-profile-path x
golangci-lint run --trace-path x
cargo clippy -- -Zcodegen-backend=x
cargo clippy -- @src/a
prog --wrap x
prog --plug x
prog --load-plugins x
prog --conf x
just test '; touch x'
just test '$(touch x)'
make 'a b'
make 'a;b'
make 'a\`b\`'
rake "x|y"
task 'a&b'
ninja 'a\\b'
gcc -o src/a.ts src/a.c
gcc -o .git/hooks/x src/a.c
gcc -o ../x src/a.c
gcc -I/etc -c src/a.c
gcc -B. src/a.c
cmake -B build -DCMAKE_C_COMPILER=x
cmake -B build -DCMAKE_C_COMPILER=ON
cmake -B build -DX_LAUNCHER=1
cmake -B build -DX=y
go test -coverprofile=src/a.ts ./...
go test -coverprofile=.git/hooks/x ./...
gh pr create --body-file x
gh issue delete 5 --yes
gh label delete x
gh project item-delete 1
gh -R a/b issue delete 5
gh pr create --body-f x
gradle -Px=y test
gradle --include-build x
mvn -DargLine=x test
mvn -Dtest='$(x)' test
mvn a.b:c:exec
make --output-sync='a b'
make --debug=x
git config edit
git config user.name x
git config user.name --unset
git config -e
git config "$X.y"
git switch -m main
git switch --mer main
git switch --conflict=diff3 main
awk '{ if ($1 > 5) print }' src/a.ts
awk '$1 > 5 { print > "x" }' src/a.ts
awk '{ print >>= "x" }' src/a.ts
awk '{ print ||| "x" }' src/a.ts
awk '$1 | "x"' src/a.ts
awk '$1 |>| "x"' src/a.ts
awk '{ print |>=| "x" }' src/a.ts
awk '$1 ||| "x"' src/a.ts
rg --pre x foo
npm run build --silent
pnpm test
yarn build
npx
split -l 10 src/a.ts
bash src/a.sh -c
timeout "$X" node src/a.ts
nice $X node src/a.ts
env -u $X node src/a.ts
yarn --frozen-lockfile
rg --pr x foo
rg -z foo
rg -f src/a.ts
rg --search-zip foo
grep -f src/a.ts foo
grep --file=src/a.ts foo
grep -nf src/a.ts foo
ag --pager x foo
ag -p x foo
ack --pager=x foo
ack --output x foo
fd -x rm
fd --exec rm
fd -X rm
fd --exec-batch rm
sort -o src/a.ts src/b.ts
sort --output=src/a.ts src/b.ts
sort -T x src/a.ts
tree -o src/a.ts
tree --fromfile src/a.ts
wc --files0-from=src/a.ts
du --files0-from=src/a.ts
du -X src/a.ts
date -s x
date --set x
file -m src/a.ts src/b.ts
file --compile src/a.ts
jq -f src/a.ts
jq --from-file src/a.ts
jq -n 'import "a" as $d {search:"/tmp"}; $d'
jq 'include "a"; .' src/a.ts
jq --library-path src . src/a.ts
jq -n env
gojq --rawfile a src/a.ts . src/b.ts
jaq -i . src/a.ts
yq -n 'load("src/" + "a.ts")'
xmllint --noent src/a.xml
xmllint --xinclude src/a.xml
curl -s 'file:{///etc/passwd}'
curl -s 'file:///repo/.en[v-v]'
curl -s 'file:///repo/.en%76'
curl -s 'file:///repo/.env?x'
curl -s '{file}:{/}etc/passwd'
curl -sL --proto-redir =file https://example.com/
prog 'FILE:{/etc/passwd}'
prog --input=file:%2Fetc%2Fpasswd
yq -i x src/a.yml
yq --inplace x src/a.yml
iconv -o src/b.ts src/a.ts
iconv --output=src/b.ts src/a.ts
xmllint --output src/b.xml src/a.xml
xmllint --shell src/a.xml
diff --to-file=src/a.ts src/b.ts
diff -X src/a.ts src/b.ts src/c.ts
tar -xf src/a.tar
tar -cf src/a.tar src
tar -tf src/a.tar -I x
tar -tf src/a.tar --to-command=x
tar --list --use-compress-program=x
zip -T src/a.zip src
zip --move src/a.zip src
unzip -o src/a.zip
unzip -n src/a.zip
unzip src/a.zip
unzip -l --l src/a.zip
bsdunzip src/a.zip
patch -p1
patch -p1 -z --dry-run
patch src/new.ts src/a.diff
hg import src/a.diff
svn patch src/a.diff
7zz x src/a.7z l
quilt push
dtrx src/a.zip
unzip -d src src/a.zip
curl -o src/a.ts https://example.com/
curl --output src/a.ts https://example.com/
curl -d x https://example.com/
curl -X POST https://example.com/
npm --prefix src test
npm -C src test
npm exec x
npm x y
npm install
npm ci
npm publish
npm run
npm run-script build -- x > /dev/null; npm config list
npm $X
yarn --cwd src build
yarn add x
yarn dlx x
yarn
pnpm -C src build
pnpm --dir src build
pnpm dlx x
pnpm install
pytest -p x
pytest --rootdir src
pytest -c src/a.ini
jest -c src/a.js
jest --config src/a.js
vitest -c src/a.ts
vitest --config src/a.ts
vitest -r src
vitest --reporter=./src/a.ts
mocha -r src/a.ts
mocha --require src/a.ts
eslint -c src/a.js src
eslint --config src/a.js src
eslint -o src/a.ts src
prettier --plugin x src
prettier --config src/a.js src
tsc -p src
tsc --outDir src
tsc -b
cargo --config x build
cargo -C src build
cargo -Z x build
cargo run
cargo install x
cargo x
go run src/a.go
go -C src build
go test -exec x
go test --exec x
go generate
gcc -B src src/a.c
gcc -specs=x src/a.c
gcc --specs=x src/a.c
rustc -o src/a src/a.rs
rustc --out-dir src src/a.rs
ruff --config src/a.toml src
ruff -o src/a.txt check
mypy --config-file src/a.ini src
black --config src/a.toml src
make -f src/a.mk
make --file=src/a.mk
make -C src
make SHELL=x test
make test CC=x
make -j4 -f src/a.mk
gmake SHELL=x
ctags -f src/tags
ctags --options=src/a
patch -o src/a.ts
patch --output src/a.ts
patch -d src
gh api x
gh pr view --web
gh pr create -F src/a.md
gh alias set x y
split --filter=x src/a.ts
shuf -o src/a.ts
shuf --output src/a.ts
node -e 1
node -p 1
node --eval 1
node --require ./src/a.ts src/b.ts
node -r ./src/a.ts src/b.ts
node --import ./src/a.ts src/b.ts
node --unknown x src/a.ts
node inspect src/a.ts
node
node -
node - x
node /dev/stdin
node /proc/self/fd/0
node --test --import=./src/a.ts
node --test src/a.ts --require ./src/b.ts
nodejs -e 1
node20 -e 1
python -c 1
python -Bc 1
python -ic 1
python -i src/a.py
python -W 'ignore::a.b' src/a.py
python -m timeit x
python -m pip install x
python -m http.server
python -Im x
python -c 1 -m pytest
python
python -
python3.12 -c 1
pypy3 -c 1
perl -e 1
perl -i src/a.pl
perl -pe 1 src/a.ts
perl -z src/a.pl
ruby -e 1
ruby -rx src/a.rb
ruby --require x src/a.rb
php -r 1
php --run 1
lua -e 1
luajit -e 1
bun -e 1
bun --eval 1
bun --preload ./src/a.ts src/b.ts
bun run build
bun x y
bun add x
deno --allow-run src/a.ts
deno -A src/a.ts
deno eval 1
deno run src/a.ts
deno task build
tsx -e 1
tsx --eval 1
ts-node -e 1
ts-node --eval 1
Rscript -e 1
R -e 1
R --file=src/a.R
julia -e 1
julia --eval 1
java -javaagent:src/a.jar src/A.java
java --agentlib:x src/A.java
java -cp src A
groovy -e 1
scala -e 1
elixir -e 1
elixir --eval 1
ghc -e 1
tclsh -c 1
expect -c 1
pip install x
pip3 list x; pip3 download x
gem install x
bundle exec x
composer install
corepack enable
dotnet run
dotnet tool x
rustup run x y
nvm use x
fnm use x
volta run x
asdf exec x
mise exec x
npx x
npx -p x y
npx $X
pnpx x
bunx x
just -f src/a x
just X=1 y
rake -f src/a x
gradle -I src/a x
mvn -f src/pom.xml test
mvn -Dexec.executable=x exec:exec
ant -f src/a x
ninja -C src
task -t src/a x
gulp --require x
awk 'BEGIN { system("x") }'
awk '{ print > "x" }' src/a.ts
awk '{ print | "x" }' src/a.ts
awk '{ getline }' src/a.ts
awk -f src/a.awk
awk -v x=1 '{ print }' src/a.ts
awk '{ print }' x=1 src/a.ts
awk '{ print }' src/a.ts -f src/b.awk
awk "$X" src/a.ts
gawk '@load "x"'
mawk 'BEGIN { print ENVIRON["x"] }'
sed -i s/a/b/ src/a.ts
sed -f src/a.sed src/a.ts
sed s/a/b/ src/a.ts -i
sed 's/a/b/w src/c.ts' src/a.ts
sed '1e x' src/a.ts
sed 's/a/b/e' src/a.ts
sed -i 's/a/b/e' src/a.ts
sed -E --in-place=.x 'w x' src/a.ts
sed 'r src/b.ts' src/a.ts
sed "$X" src/a.ts
sed -e s/a/b/ -e 'w x' src/a.ts
gsed -i s/a/b/ src/a.ts
gfind . -delete
find . -exec x \\;
find . -execdir x \\;
find . -ok x \\;
find . -okdir x \\;
find . -fprint src/x
find . -fprintf src/x y
find . -fls src/x
find . -files0-from src/x
find . -f src
find $X -name a
bsdtar -xf src/a.tar
egrep -f src/a.ts foo
ripgrep --pre x foo
fdfind -x rm
py.test -p x
g++ -B src src/a.cc
cc -B src src/a.c
clang -B src src/a.c
sh -c x
sh +c x
bash -ec x
bash -lc x
bash -i
bash --rcfile src/a src/b
bash --init-file src/a src/b
bash --login src/a
bash -s
bash
bash -o x src/a.sh
zsh -c x
tee -p src/new.ts
tee --output-error=warn src/new.ts
tee src/a.ts
tee test/new.ts
cp -f src/a.ts src/new.ts
cp -t src src/a.ts
cp --target-directory=src src/a.ts
cp --backup src/a.ts src/new.ts
cp src/a.ts src/b.ts
cp src/a.ts $X
cp src/*.ts src/new
cp
cp --no-target-directory src/a.ts src/new.ts
cp -b src/a.ts src/new.ts
mv -f src/a.ts src/new.ts
mv --force src/a.ts src/new.ts
mv -T src/a.ts src/new.ts
mv src/a.ts src/b.ts
install -m 755 src/a.ts src/new.ts
install --strip-program=x src/a.ts src/new.ts
install --suffix=x src/a.ts src/new.ts
install --remove-destination src/a.ts src/new.ts
ln -f src/a.ts src/new.ts
ln -sf a.ts src/new.ts
ln --force src/a.ts src/new.ts
ln --backup src/a.ts src/new.ts
ln --suffix=x src/a.ts src/new.ts
ln --target-directory=src src/a.ts
ln -t src src/a.ts
cp - src/a.ts
uniq src/a.ts src/new.ts
xxd -r src/a.ts
xxd src/a.ts src/new.ts
hostname x
trash src/a.ts
trash-put src/a.ts
gio trash src/a.ts
gio remove src/a.ts
gio move src/a.ts src/b.ts
gio copy src/a.ts src/b.ts
gio save src/a.ts
gio rename src/a.ts b.ts
gio
gio $X src/a.ts
hg revert --all
hg update -C
hg purge
hg --config alias.log=!touch log
svn revert -R .
svn cleanup --remove-unversioned
jj restore
jj abandon
bzr revert
fossil revert
darcs revert
grm -r src
grm src/a.ts
rm src/a.ts
rm src/*.ts
rm -R src
rm --recursive src
rm --no-preserve-root src
rm $X
srm src/a.ts
shred src/a.ts
wipe src/a.ts
dd if=src/a.ts of=src/b.ts
wipefs x
fdisk x
mkfs.ext4 x
mke2fs x
xargs rm
gxargs rm
xargs -n 1 node src/a.ts
xargs -I{} node {}
timeout 5
timeout --unknown 5 node src/a.ts
timeout $X node src/a.ts
env X=1 node src/a.ts
env -i node src/a.ts
env - node src/a.ts
env --ignore-environment node src/a.ts
env -S 'node src/a.ts'
env --split-string 'node src/a.ts'
env "CI=a b" node src/a.ts
env $X node src/a.ts
nice
nice --unknown x node src/a.ts
nohup
setsid
command
chrt 5 node src/a.ts
busybox ls
toybox ls
less src/a.ts
zless src/a.ts
more src/a.ts
most src/a.ts
man x
vim src/a.ts
sudo node src/a.ts
sudo -u x node src/a.ts
ssh x y
parallel x
systemctl stop x
gzip src/a.ts
kill 1
printf -v x y
printf "$X" y
test -v x
test -R x
test a -a b
test "$X" = y
[ -v x ]
wait x
eval x
eval "$X"
source src/a.sh
. src/a.sh
trap x EXIT
trap "$X" EXIT
trap - EXIT
alias x=y
set -x
set -ex
set -e -- a
set -e $X
set -f
set -o posix
set -o
set
read x
export X=1
git -c a=b log
git -c a=b config x y
git -C src log
git --git-dir=x log
git --git-dir x log
git --work-tree x log
git --namespace x log
git --exec-path=x log
git --exec-path x log
git --config-env x=y log
git --attr-source x log
git --super-prefix x log
git --list-cmds x log
git -p log
git $X
git x
git statusx
git config a b
git config
git config --list --add a b
git config --get --unset a
git config --get --unset-all a
git config --get --replace-all a b
git config --list --edit
git config --list -e
git config --list --file x
git config --get -f x a
git config --get --remove-section a
git config --get --rename-section a b
git config --get --blob x a
git remote add x y
git submodule update
git submodule foreach x
git notes add -m x
git am x
git apply x
git archive HEAD
git bisect run x
git clone x
git credential fill
git difftool
git fast-import
git filter-branch x
git filter-repo x
git format-patch HEAD
git hook run x
git help x
git instaweb
git init
git maintenance run
git mergetool
git replace a b
git send-email x
git symbolic-ref a b
git update-index x
git diff --output=x
git diff --output x
git diff --ext-diff
git diff --ext
git diff --no-index a b
git diff -Ox
git log -Ox
git show -Ox
git diff --orderfile=x
git show --textconv
git grep -O foo
git grep -Ox foo
git grep -f x
git grep --open-files-in-pager foo
git commit -F x
git commit --file=x
git commit -e
git commit --edit
git commit -C x
git commit -c x
git commit -p
git commit -S
git commit --template=x
git commit --trailer x=y
git commit --gpg-sign
git commit --pathspec-from-file=x
git commit --interactive
git tag -F x v1
git tag -u x v1
git tag -s v1
git merge -F x b
git merge -e b
git merge -S b
git merge -s x b
git merge --strategy=x b
git rebase main
git rebase -x y main
git rebase -i main
git rebase -S main
git rebase --exec x main
git cherry-pick -e a
git cherry-pick -S a
git revert -e a
git revert -S a
git fetch -u origin
git fetch origin +main:main
git fetch -f origin main:main
git fetch --force origin main:refs/heads/main
git fetch --forc . HEAD:main
git pull origin +main:main
git pull --force origin main:main
git fetch -o x origin
git fetch --upload-pack=x origin
git fetch ext::x
git fetch EXT::x
git fetch fd::3
git fetch a1+b::x
git ls-remote ssh://-x
git ls-remote 'x;y:z'
git fetch 'ssh://x|y/z'
git pull 'a b:c'
git push 'a&b:c' main
git pull -S
git pull -s x
git push -o x
git push --receive-pack=x
git push --exec=x
git push --server-option=x
git branch -u x
git branch --edit-description
git add -i
git add -p
git add -e
git blame -S x src/a.ts
git blame --contents x src/a.ts
git annotate -S x src/a.ts
git ls-files -X x
git reset -p
git hash-object -w src/a.ts
git cat-file --filters HEAD:x
git cat-file --batch <<< HEAD:.env
git cat-file --batch-command
git log --show-signature
git reset --hard
git reset --merge
git reset --keep
git reset $X
git checkout src
git checkout src/a.ts
git checkout HEAD~1
git checkout main src
git checkout -- src/a.ts
git checkout -f -b x
git checkout --force -b x
git checkout x -
git restore src/a.ts
git restore --staged --worktree src/a.ts
git restore -S -W src/a.ts
git restore --worktree src/a.ts
git switch -f b
git switch --force b
git switch --discard-changes b
git switch --force-create b
git switch -C b
git clean -f
git clean
git stash
git stash drop
git stash pop
git branch -d b
git branch -D b
git branch --delete b
git branch -f b
git branch --force b
git branch -m b
git branch --move b
git branch -M b
git branch -C b
git tag -d v1
git tag --delete v1
git tag -f v1
git tag --force v1
git push -f
git push --force
git push --force-with-lease
git push --force-if-includes
git push --mirror
git push --delete origin b
git push -d origin b
git push --prune
git push origin +main
git push origin :main
git worktree remove src/x
git worktree prune
git worktree add -f src/x
git worktree add --force src/x
git worktree add -B b src/x
git rm src/a.ts
git rm --cached -f src/a.ts
git rm --cached --force src/a.ts
git mv -f src/a.ts src/b.ts
git mv --force src/a.ts src/b.ts
git reflog expire
git reflog delete x
git reflog drop x
git gc
git prune
git repack
git update-ref x y
git submodule deinit x
git submodule update -f
git submodule update --force
git read-tree x
git checkout-index x
git sparse-checkout set x
git merge --abort
git merge --quit
git rebase --skip
git rebase --abort
git cherry-pick --abort
git cherry-pick --quit
git revert --abort
git revert --skip
git am --abort
git grep --foo -O bar
git status "$X"
git log *
python --foo -m pytest
python --foo src/a.py
elixir --rpc-eval x y
elixir --require x src/a.exs
elixir -r x src/a.exs
bun --print x src/a.ts
bun --require x src/a.ts
bun --import x src/a.ts
bun --config x src/a.ts
bun --cwd x src/a.ts
bun --env-file x src/a.ts
bun --inspect x src/a.ts
bun --bun x src/a.ts
bun -p x src/a.ts
bun -r x src/a.ts
bun -b x src/a.ts
deno --allow-all src/a.ts
deno --allow-write src/a.ts
deno --allow-net src/a.ts
deno --allow-read src/a.ts
deno --allow-ffi src/a.ts
deno --allow-env src/a.ts
deno --config=x src/a.ts
deno --import-map=x src/a.ts
deno --ext=x src/a.ts
deno --unstable src/a.ts
deno --inspect src/a.ts
deno --preload=x src/a.ts
deno --env-file=x src/a.ts
deno --eval src/a.ts
deno -c src/a.ts
tsx --print x src/a.ts
tsx --require x src/a.ts
tsx --import x src/a.ts
tsx --tsconfig x src/a.ts
tsx -p x src/a.ts
tsx -r x src/a.ts
ts-node --print x src/a.ts
ts-node --require x src/a.ts
ts-node --compiler x src/a.ts
ts-node --project x src/a.ts
ts-node --cwd x src/a.ts
ts-node -p x src/a.ts
ts-node -r x src/a.ts
ts-node -P x src/a.ts
ts-node -O x src/a.ts
ts-node -C x src/a.ts
php --define x src/a.php
php --php-ini x src/a.php
php -B x
java --javaagent:x src/A.java
java -agentpath:x src/A.java
java --agentpath:x src/A.java
java -agentlib:x src/A.java
java @x src/A.java
java -ea @x src/A.java
gcc @x
julia --print 1
julia --load x src/a.jl
julia -E 1
julia -L x src/a.jl
ruby -I x src/a.rb
ruby -C x src/a.rb
lua -l x src/a.lua
lua -i src/a.lua
ghc -F src/a.hs
R -f src/a.R
node --print x src/a.ts
node --loader x src/a.ts
node --experimental-loader x src/a.ts
node --env-file x src/a.ts
node --env-file-if-exists x src/a.ts
node --inspect x src/a.ts
node --inspect-brk x src/a.ts
node --inspect-port x src/a.ts
node --inspect-wait x src/a.ts
node --test-reporter x src/a.ts
node --test-reporter-destination x src/a.ts
node --test-global-setup x src/a.ts
node --interactive x src/a.ts
node --run x src/a.ts
node --experimental-config-file x src/a.ts
node --build-sea x src/a.ts
node --openssl-config x src/a.ts
node --icu-data-dir x src/a.ts
node --diagnostic-dir x src/a.ts
node --report-dir x src/a.ts
node --redirect-warnings x src/a.ts
node --cpu-prof x src/a.ts
node --heap-prof x src/a.ts
node --build-snapshot x src/a.ts
node --watch-path x src/a.ts
node --title x src/a.ts
node -C x src/a.ts
node -i x src/a.ts
deno repl x
deno install x
deno compile x
deno serve x
deno x x
deno jupyter x
bun exec x
bun create x
bun install x
bun i x
bun pm x
bun upgrade x
bun repl x
make -I x test
make -e test
make -E x test
make --directory=x test
make --include-dir=x test
make --eval=x test
make --environment-overrides test
make --makefile=x test
watch --foo x
watch -n 1 x
watch -d x
watch "$X"
watch
builtin -x ls
command -x ls
exec -x ls
nohup -x ls
setsid -x ls
time -x ls
stdbuf -x ls
ionice -x ls
nice -x ls
timeout -x ls
env -x ls
builtin
exec
time
stdbuf
ionice
command -p rm x
xargs --foo rm
xargs
gxargs -0 rm
watch ls a
env CI=1 -i node src/a.ts
env CI=1 -- node src/a.ts
env NODE_OPTIONS=x node src/a.ts
env -u X node src/a.ts
env X node src/a.ts
busybox
busybox sh -c x
toybox rm x
awk '{ print }' *
find * -name a
wc *
wc -l [a-z]*
sed -n - src/a.ts
sed 1p *
sed 1p ?.ts
sed 1p [ab].ts
rg x *
sort *
git add *
wc $X
wc "$X"
grep --foo /x src/a.ts
rg --foo /x src
grep /x /y
xargs -I X rm X
xargs -d X -s 100 -E Y rm
gdiff --output=x src/a.ts src/b.ts
git clean -fdx -en
git clean -fden
git clean -fdxe -n
git clean -fdx --dry-run --no-dry-run
git clean -fdx -- -n
git clean -n --unknown x
git clean -n $X
git restore -sS src/a.ts
git restore --staged --no-staged src/a.ts
git restore --s src/a.ts
git restore -- -S src/a.ts
git rm --cached --no-cached src/a.ts
git rm -- --cached
git checkout -- -b
git checkout -b x -m
git fetch origin main:main
git fetch origin :main
git fetch origin a:b c:d
git fetch origin tag v1
git fetch -f origin tag v1
git fetch --prune origin refs/heads/w*:refs/heads/w*
git fetch -P -p origin
git fetch --prune-tags origin
git fetch --tags --force origin
git fetch -tf
git fetch --refmap=+refs/heads/*:refs/heads/* origin main
git fetch origin +:main
git fetch --multiple a:b
git fetch --unknown a:b
git fetch --stdin origin
git fetch --update-head-ok origin
git pull origin main:refs/tags/x
git pull --refmap= origin
git config --show-scope user.name x
git config --name-only x y
git config --get --no-get user.name x
git config --show-origin
git remote -v set-url origin x
git remote -v add x y
git remote --verbose remove origin
git remote -v update
git submodule -q deinit x
git reflog -x expire
git stash -q drop
git notes -x list
git merge-file src/a.ts x y
git-clean -fdx
git-log
git-shell -c x
cp -r x/. src
cp -a x/. src
cp -r x/ src
cp -r x/src .
cp -R x/src .
cp -a x/src .
cp -rT x src
cp -r --parents x/y dir
cp -u x/a.ts src
mv x/a.ts src
install -t src x/a.ts
install x/a.ts src/b.ts
ln -sf x/a.ts
rsync -a x/ src
tar xzf src/a.tgz
tar -x -f src/a.tgz -C src
tar --extract --directory=src -f src/a.tgz
tar -czf src/a.ts x
tar cf src/new.tar x
tar
7z x src/a.7z
7z l src/a.7z
cpio -i
python -m json.tool src/a.ts src/b.ts
python -m json.tool --indent 2 src/a.ts src/b.ts
python -m tarfile -e src/a.tar
python -m tarfile -e src/a.tar src
python -m tarfile -e src/a.tar src/new
python -m zipfile --ext src/a.zip src
python -m zipfile --unknown src/a.zip
python -m zipfile -c src/a.ts src
python -m sqlite3 x
pytest --cov-report=xml:src/a.ts
pytest --cov-report xml:src/a.ts
gcc -MMD -MF src/a.ts -c src/a.c
gcc -fplugin=./x.so -c src/a.c
gcc -Wl,-Map=src/a.ts src/a.c
gcc -save-temps -c src/a.c
gcc -o src/a.ts src/a.c
rustc --emit=dep-info=src/a.ts src/a.rs
go test -test.cpuprofile=src/a.ts ./src
go test ./src -args -test.trace=src/a.ts
go test -o src/a.ts ./src
go fix ./src
curl -w '%output{src/a.ts}x' https://example.com/
curl -sw@src/a.ts https://example.com/
curl --write-out '%output{src/a.ts}x' https://example.com/
curl -H @src/a.ts https://example.com/
curl --url-query @src/a.ts https://example.com/
curl --variable x@src/a.ts https://example.com/
curl --expand-url x
curl -F 'x=<src/a.ts' https://example.com/
curl -T src/a.ts https://example.com/
curl @src/a.ts
wget -O src/a.ts https://example.com/
wget --post-file=src/a.ts https://example.com/
http POST https://example.com/
http https://example.com/ x@src/a.ts
http https://example.com/ x=y
https --session x example.com
xh -d example.com
xhs example.com x:=y
pandoc -o src/a.ts src/a.md
pandoc -osrc/a.ts src/a.md
pandoc --output=src/a.ts src/a.md
pandoc --output src/a.ts src/a.md
cmake -E rm -rf src
cmake -E copy x src/a.ts
cmake -E time rm x
cmake -E env A=b rm x
cmake -E
cmake -P src/a.cmake
cmake -DX=y .
ctest -S src/a.cmake
sponge src/a.ts
sponge test/new.ts
fallocate -p -l 10 src/a.ts
strip src/a.ts
convert src/a.png src/b.ts
gs -sOutputFile=src/a.ts src/a.ps
npm exe x
npm ins
npm publ
npm conf set a b
npm unpub x
npm i-t
npm isntal
npm udpate
npm installTest
npm runScript x > /dev/null; npm runscript x
npm p
npm zzz
npm -s run build
npm -w test exec x
npm --loglevel test exec x
gh --repo pr repo delete x
gh x
cargo --color test run
dotnet x
bash /dev/stdin
bash -x /dev/stdin
bash /dev/fd/0
bash /proc/self/fd/0
bash //dev/stdin
bash -
echo id | bash /dev/stdin
bash /dev/stdin <<< id
python /dev/stdin <<< 1
chronic rm x
ifne rm x
ccache rm x
ccache -C
distcc rm x
pee 'rm x'
mispipe 'ls x' "$X"
ts -x ls
ts ls
latexmk -e x
latexmk 'a|b'
pdflatex --shell-escape src/a.tex
pdflatex '\\input{x}'
fzf --preview x
fzf --bind x
bat --pager x src/a.ts
bat cache
bat -l ts cache
openssl engine ./x.so
openssl dgst -sign x src/a.ts
openssl rand -out src/a.ts 5
ssh-keygen -D ./x.so
ssh-keygen -f src/a
ssh-agent x
logsave src/a.ts x
protoc --plugin=./x src/a.proto
protoc @src/a.ts
bazel run :x
bazel --bazelrc=x build :x
buck2 build --unknown :x
mvn exec:exec
mvn -l src/a.ts test
mvn -s src/a.xml test
ant -l src/a.ts
ninja -t clean
lerna exec x
c8 id
c8 --require ./x npm test
nyc id
nyc npm exec x
npx c8 id
npx concurrently id
npx nodemon src/a.ts
npx svgo src/a.ts
opam exec -- id
opam exec id
cabal exec id
cabal run x
cabal repl
stack exec id
stack exec -- id
stack runghc src/a.hs
stack build --exec id
dune exec id
pdm run id
rye run id
hatch run id
uv run id
poetry run id
pipenv run id
conda run id
mise exec id
asdf exec id
rbenv exec id
direnv exec . id
nix run id
nix shell -c id
cross-env X=1 id
dotenv -- id
doppler run -- id
op run -- id
infisical run -- id
aws-vault exec x -- id
kubectl exec x -- id
docker run id
bundle exec id
watchexec id
entr id
hyperfine id
concurrently id
npm-run-all id
flock src/a.ts id
unbuffer id
script -c id
perf record id
valgrind id
gdb --args id
strace id
ltrace id
rr record id
heaptrack id
faketime x id
fakeroot id
proot id
firejail id
systemd-run id
at now
batch
crontab src/a.ts
chronic id
coverage run src/a.py
coverage run -m timeit x
python -m coverage run src/a.py
pylint --init-hook=x src
pylint --load-plugins=x src
swift -e x
swift src/a.swift run -e 'x()'
swift run x
clojure -e x
clj -M -e x
mix run -e 'x()'
mix run -e x
mix eval x
mix format --dot-formatter x
kotlin -e x
kotlinc -script src/a.kts
crystal eval x
crystal run x
rails runner x
bin/rails runner x
rails c
rails db:drop
sbt 'runMain x'
sbt 'eval x'
sbt run
nim e x
nim r x
zig run x
dart run x
iex -e x
erl -eval x
runghc -e x
runhaskell -e x
ocaml -e x
bb -e x
jshell x
guile -c x
racket -e x
sbcl --eval x
emacs --eval x
osascript -e x
m4 src/a.m4
sqlite3 .shell
mysql -e x
redis-cli x
gnuplot -e x
octave --eval x
dc -e x
bc src/a.bc
ftp x
nc -e x
socat exec:x -
raku -e x
hy -c x
cloc --extract-with=x src
ugrep --filter=x y
ugrep --pager=x y
pandoc -F x src/a.md
pandoc --filter x src/a.md
pandoc --lua-filter src/x.lua src/a.md
pandoc -f src/x.lua src/a.md
rspec -r x
phpunit --bootstrap src/a.php
webpack --config src/a.js
webpack -c src/a.js
rollup -c src/a.js
vite build --config src/a.js
vite -c src/a.js
playwright test -c src/a.ts
sphinx-build -D extensions=x src src/new
mkdocs build -f src/a.yml
flake8 --config src/a
jupyter nbconvert --execute src/a.ipynb
jupyter run src/a.ipynb
tape -r x src/a.ts
tsc --plugins x
stylelint --plugins x src/a.css
pg_dump -f src/a.ts x
pg_dump --file=src/a.ts x
pg_dumpall -f src/a.ts
mysqldump -r src/a.ts x
mysqldump --result-file=src/a.ts x
qpdf --replace-input src/a.ts
svgo src/a.ts
pngcrush -ow src/a.ts
indent src/a.ts
prog exec id
prog run -- id
prog -v run id
prog run --flag id
prog run $X
prog -- id
prog eval x
prog --pager=x
prog --init-hook x
prog --my-plugin x
prog --config src/a.ts
prog -e 'a(b)'
prog -c 'a b'
javac -processor x src/A.java
javac @src/a
cucumber -r x
rubocop -r x src
pygmentize -x src/a.py
postcss -u x src/a.css
robot --listener x src
scons -f src/a
tsup --onSuccess id
xcrun id
libtool --mode=execute id
ldd src/a
yosys src/a
jar xf src/a.jar
mail -s x y
npm run env -- ls src
npm run -- env ls src
npm rum --silent env cat src/a.ts
npm run test --no-script-shell=./x
npm pack ./e
npm test -- --config src/a.ts
pnpm run --config.script-shell=./x build
yarn workspace a exec id
yarn run --require ./x build
jest --global-setup=./x
jest --setup-files=./x
vitest run --workspace=./x
tsc --outdir src/new
tsc -outdir src/new
tsc @src/a
python manage.py shell -c x
php artisan tinker --execute=x
node src/eslint -c x
deno test -A src/x.ts
bun test --preload ./x
eslint --inspect-config
eslint --mcp
dotnet build -p:PreBuildEvent=id
gh pr checkout 12 --force
`);
