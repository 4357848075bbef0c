import { expect, test } from 'vitest';
import { unpackedInto } from '../../../../src/permission/shell/programs/unpacked-files.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const intoOf = (text: string): string | null => {
  const [program = '', ...rest] = text.split(' ');
  return (
    unpackedInto(program, [program, ...rest].map(literalWord))
      ?.map((word) => word.text)
      .join(' ') ?? null
  );
};

test.each([
  'patch',
  'patch -p1',
  'patch a b',
  'patch -R -p1 -s',
  'patch -p1 -z --dry-run',
  'patch -- --dry-run',
  'patch --strange --dry-run',
  'patch -p --dry-run',
  'gpatch -p1',
  'git apply a',
  'git -C src apply a',
  'git apply --check --apply a',
  'git apply --check --no-check a',
  'git apply --3way a',
  'git apply --strange --check a',
  'git am a',
  'git am --check a',
  'unzip a',
  'unzip -n a',
  'unzip -o a',
  'unzip',
  'unzip -l --l a',
  'unzip -l- a',
  'unzip -q a -l',
  'unzip -Pl a',
  'bsdunzip a',
  ...'7z 7za 7zr 7zz 7zzs arj lha rar unrar unrar-free zoo'.split(' ').map((name) => `${name} x a l`),
  ...'atool aunpack bsdcpio cabextract cpio dtrx innoextract miniunzip msiextract munpack ouch p7zip pax quilt ripmime star unace unar unp unshield unsquashfs uudecode wiggle wimapply wimextract'
    .split(' ')
    .map((name) => `${name} a`),
  '7z -y x a',
  'ar x a',
  'ar -vx a',
  'asar e a b',
  'asar extract-file a',
  'ditto -xk a b',
  'dpkg-deb -x a b',
  'dpkg-deb --extract a b',
  'dpkg-deb --raw-extract a b',
  'gcab -x a',
  'gcab --extract a',
  'hg import a',
  'hg patch a',
  'hg imp a',
  'jar xf a',
  'jar -xf a',
  'jar --extract -f a',
  'svn patch a',
  'wheel unpack a',
  'xar -xf a',
  'xar --extract -f a',
  'gunzip -N a',
  'gzip -dN a',
  'pigz --name a',
  'unpigz --na a',
])('%s writes anything here', (text) => {
  expect(intoOf(text)).toBe('.');
});

test.each<[string, string]>([
  ['unzip a -d b', 'b'],
  ['unzip -db a', 'b'],
  ['unzip -qodl a', 'l'],
  ['unzip -d b -d c a', 'b c'],
  ['bsdunzip -d b a', 'b'],
  ['rsync a b', 'b'],
  ['rsync -av a/ ./x:b', './x:b'],
  ['rsync -e n a b', 'b'],
  ['rsync --read-batch=a b', 'b'],
  ['scp -r a:b c', 'c'],
  ['scp -Cr a:b c', 'c'],
])('%s writes anything below %s', (text, folder) => {
  expect(intoOf(text)).toBe(folder);
});

test.each([
  'patch --dry-run -p1',
  'patch -p1 -sNf --dry-run a',
  'patch --strip=1 --reverse --silent --dry-run',
  'patch -C',
  'patch --check',
  'patch --verbose -tlEucn -F 3 --dry-run',
  'git apply --check a',
  'git apply --stat a',
  'git apply --numstat a',
  'git apply --summary a',
  'git apply -p1 -R --check a',
  'git log',
  'git log apply',
  'unzip -l a',
  'unzip -t a',
  'unzip -qp a b',
  'unzip -c a',
  'unzip -v',
  'unzip -z a',
  'unzip -Z1 a',
  'unzip -Z a',
  'bsdunzip -l a',
  '7z l a',
  '7z t a',
  '7z i',
  'unrar lb a',
  'unrar lt a',
  'unrar v a',
  'unrar vb a',
  'unrar vt a',
  'ar t a',
  'asar list a',
  'asar',
  'ditto a b',
  'dpkg-deb -c a',
  'hg log',
  'jar tf a',
  'svn update',
  'wheel pack a',
  'xar -tf a',
  'gcab -t a',
  'gunzip a',
  'gzip --no-name a',
  'rsync',
  'rsync a',
  'rsync -n a b',
  'rsync -avn a b',
  'rsync --dry-run a b',
  'rsync a host:b',
  'scp a b',
  'scp --recursive a b',
  'constructor x',
  'cat 7z',
  'x7z a',
  'unzipx a',
])('%s does not', (text) => {
  expect(intoOf(text)).toBeNull();
});
