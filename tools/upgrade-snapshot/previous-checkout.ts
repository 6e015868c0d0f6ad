import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';

/** The code of an earlier commit, ready to run. */
export type PreviousCheckout = { root: string; remove(): void };

export const processesOf = ({ root }: Pick<PreviousCheckout, 'root'>): readonly string[] =>
  PROCESS_NAMES.filter((name) => name === 'gateway' || existsSync(join(root, 'services', name)));

/** Extracts a commit from the history, with the packages of its lock file. */
export function openPreviousCheckout(commit: string): PreviousCheckout {
  const isKnown = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: CHECKOUT }).status === 0;
  if (!isKnown) throw new Error(`Commit ${commit} is not in the history of this checkout. Run: git fetch --unshallow`);
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

/** Whether the packages installed in this checkout match the runtime dependencies; packages for other platforms are never installed. */
function areInstalled(wanted: Packages): boolean {
  const there = new Map(packagesIn(join(CHECKOUT, 'node_modules/.package-lock.json')));
  return wanted
    .filter(([place, { link, dev }]) => isPackage(place) && !link && !dev)
    .every(([place, { version, optional }]) => {
      const isOfOtherSystems = optional === true && !existsSync(join(CHECKOUT, place));
      return isOfOtherSystems || there.get(place)?.version === version;
    });
}

/** Except the workspaces of the old checkout. */
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
  if (status !== 0) throw new Error(`Failed to install the packages of ${root}`);
}
