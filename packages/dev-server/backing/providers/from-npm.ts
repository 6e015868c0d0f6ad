import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ServerProvider } from '../server.ts';
import { checkVersion } from './on-path.ts';

const provider = 'npm';
const require = createRequire(import.meta.url);

const findManifest = (name: string): string | undefined => {
  // Not every package exports its package.json, so its path is searched for.
  const folders = require.resolve.paths(name) ?? [];
  return folders
    .map((folder) => join(folder, name, 'package.json'))
    .find((file) => {
      try {
        require(file);
        return true;
      } catch {
        return false;
      }
    });
};

export const fromNpm =
  (scope: string, path: string): ServerProvider =>
  async () => {
    const name = `${scope}/${process.platform}-${process.arch}`;
    const manifest = findManifest(name);
    if (!manifest) return { provider, reason: `${name} is not installed (this platform may be unsupported)` };
    const file = join(dirname(manifest), path);
    const checked = await checkVersion(file, '--version');
    return 'reason' in checked ? { provider, reason: checked.reason } : { provider, file, version: checked.version };
  };
