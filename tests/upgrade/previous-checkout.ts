import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';

/** The code of an earlier commit, ready to run. */
export type OldTree = { root: string; remove(): void };

/** The processes that its code has: a service of today may be newer. */
export const processesOf = ({ root }: Pick<OldTree, 'root'>): readonly string[] =>
  EVERY_PROCESS.filter((name) => name === 'gateway' || existsSync(join(root, 'services', name)));

/** Takes the tree out of the history, with the packages of its own lock file. */
export function openTree(commit: string): OldTree {
  const isKnown = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: CHECKOUT }).status === 0;
  if (!isKnown)
    throw new Error(`The code of ${commit} is not in this checkout's history. Fetch it: git fetch --unshallow`);
  const root = mkdtempSync(join(tmpdir(), `atrium-${commit}-`));
  const archive = execFileSync('git', ['archive', commit], { cwd: CHECKOUT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  const wanted = packagesIn(join(root, 'package-lock.json'));
  if (areInstalled(wanted)) linkPackages(root, wanted);
  else install(root);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

type About = { version?: string; link?: boolean; resolved?: string; dev?: boolean; optional?: boolean };
type Packages = [place: string, about: About][];

const packagesIn = (lockFile: string): Packages => Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);

const isPackage = (place: string): boolean => place.includes('node_modules/');

/** Whether what is installed in this checkout is what is asked for at run time; one that this system has no use for is nowhere. */
function areInstalled(wanted: Packages): boolean {
  const there = new Map(packagesIn(join(CHECKOUT, 'node_modules/.package-lock.json')));
  return wanted
    .filter(([place, { link, dev }]) => isPackage(place) && !link && !dev)
    .every(([place, { version, optional }]) => {
      const isOfOtherSystems = optional === true && !existsSync(join(CHECKOUT, place));
      return isOfOtherSystems || there.get(place)?.version === version;
    });
}

/** Links every package but our own, which are that tree's. */
function linkPackages(root: string, wanted: Packages): void {
  const workspaces = wanted.map(([place]) => place).filter((place) => place !== '' && !isPackage(place));
  for (const folder of ['', ...workspaces].map((workspace) => join(workspace, 'node_modules'))) {
    if (!existsSync(join(CHECKOUT, folder))) continue;
    mkdirSync(join(root, folder), { recursive: true });
    for (const name of readdirSync(join(CHECKOUT, folder)).filter((one) => !/^\.|^@atrium$/.test(one)))
      symlinkSync(join(CHECKOUT, folder, name), join(root, folder, name));
  }
  mkdirSync(join(root, 'node_modules/@atrium'));
  for (const [place, { link, resolved }] of wanted)
    if (link && resolved !== undefined) symlinkSync(join(root, resolved), join(root, place));
}

function install(root: string): void {
  const how = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', how, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`The packages of ${root} could not be installed`);
}
