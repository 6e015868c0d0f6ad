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
  // The copy needs git: it knows which files are ignored and which are tracked.
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  execFileSync('git', ['add', '.'], { cwd: root });
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(CHECKOUT, 'node_modules')))
    if (name !== '@atrium' && name !== '.cache') symlinkSync(modulesAt(CHECKOUT, name), modulesAt(root, name));
  mkdirSync(modulesAt(root, '@atrium'));
  for (const name of readdirSync(modulesAt(CHECKOUT, '@atrium'))) {
    const target = readlinkSync(modulesAt(CHECKOUT, '@atrium', name));
    symlinkSync(target, modulesAt(root, '@atrium', name));
    // Packages that a workspace has in a different version.
    const workspace = target.replace('../../', '');
    const own = modulesAt(join(CHECKOUT, workspace));
    if (existsSync(own)) symlinkSync(own, modulesAt(join(root, workspace)));
  }
  return root;
}

export const linkService = (root: string, name: string): void =>
  symlinkSync(`../../services/${name}`, modulesAt(root, '@atrium', name));

const modulesAt = (folder: string, ...names: string[]): string => join(folder, 'node_modules', ...names);
