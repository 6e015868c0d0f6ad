import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';

const SKIPPED = /(^|\/)(node_modules|\.git|\.tsbuild|dist|\.atrium|output|coverage)(\/|$)|^tests\/upgrade\/snapshots\//;

export function copyCheckout(): string {
  const root = mkdtempSync(join(tmpdir(), 'atrium-new-service-'));
  cpSync(CHECKOUT, root, {
    recursive: true,
    filter: (from) => !SKIPPED.test(from.slice(CHECKOUT.length)),
  });
  // The copy needs git, because scripts ask it which files are tracked and which are ignored.
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  execFileSync('git', ['add', '.'], { cwd: root });
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(CHECKOUT, 'node_modules')))
    if (name !== '@atrium' && name !== '.cache') symlinkSync(joinModules(CHECKOUT, name), joinModules(root, name));
  mkdirSync(joinModules(root, '@atrium'));
  for (const name of readdirSync(joinModules(CHECKOUT, '@atrium'))) {
    const target = readlinkSync(joinModules(CHECKOUT, '@atrium', name));
    symlinkSync(target, joinModules(root, '@atrium', name));
    // A workspace has its own node_modules for packages that it needs in a different version.
    const workspace = target.replace('../../', '');
    const workspaceModules = joinModules(join(CHECKOUT, workspace));
    if (existsSync(workspaceModules)) symlinkSync(workspaceModules, joinModules(join(root, workspace)));
  }
  return root;
}

export const linkService = (root: string, name: string): void =>
  symlinkSync(`../../services/${name}`, joinModules(root, '@atrium', name));

const joinModules = (folder: string, ...names: string[]): string => join(folder, 'node_modules', ...names);
