import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';

/** The code of an earlier commit, ready to run. */
export type PreviousCheckout = { root: string; remove(): void };

export const listProcesses = ({ root }: Pick<PreviousCheckout, 'root'>): readonly string[] =>
  PROCESS_NAMES.filter((name) => name === 'gateway' || existsSync(join(root, 'services', name)));

/** Extracts a commit from the history, with the packages of its lock file. */
export function openPreviousCheckout(commit: string): PreviousCheckout {
  const isKnown = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: CHECKOUT }).status === 0;
  if (!isKnown) throw new Error(`Commit ${commit} is not in the history of this checkout. Run: git fetch --unshallow`);
  const root = mkdtempSync(join(tmpdir(), `atrium-${commit}-`));
  const archive = execFileSync('git', ['archive', commit], { cwd: CHECKOUT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  const packages = readPackages(join(root, 'package-lock.json'));
  if (areInstalled(packages)) linkPackages(root, packages);
  else install(root);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

type PackageInfo = { version?: string; link?: boolean; resolved?: string; dev?: boolean; optional?: boolean };
type Packages = [path: string, info: PackageInfo][];

const readPackages = (lockFile: string): Packages =>
  Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);

const isPackage = (path: string): boolean => path.includes('node_modules/');

/**
 * Returns whether the packages installed in this checkout match the runtime dependencies of the previous one. Packages
 * for other platforms are never installed.
 */
function areInstalled(packages: Packages): boolean {
  const installed = new Map(readPackages(join(CHECKOUT, 'node_modules/.package-lock.json')));
  return packages
    .filter(([path, { link, dev }]) => isPackage(path) && !link && !dev)
    .every(([path, { version, optional }]) => {
      const isForOtherPlatform = optional === true && !existsSync(join(CHECKOUT, path));
      return isForOtherPlatform || installed.get(path)?.version === version;
    });
}

/** Links the installed packages into the previous checkout, which has its own workspaces. */
function linkPackages(root: string, packages: Packages): void {
  const workspaces = packages.map(([path]) => path).filter((path) => path !== '' && !isPackage(path));
  for (const folder of ['', ...workspaces].map((workspace) => join(workspace, 'node_modules'))) {
    if (!existsSync(join(CHECKOUT, folder))) continue;
    mkdirSync(join(root, folder), { recursive: true });
    for (const name of readdirSync(join(CHECKOUT, folder)).filter((entry) => !/^\.|^@atrium$/.test(entry)))
      symlinkSync(join(CHECKOUT, folder, name), join(root, folder, name));
  }
  mkdirSync(join(root, 'node_modules/@atrium'));
  for (const [path, { link, resolved }] of packages)
    if (link && resolved !== undefined) symlinkSync(join(root, resolved), join(root, path));
}

function install(root: string): void {
  const args = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`Failed to install the packages of ${root}`);
}
