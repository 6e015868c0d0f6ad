import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify, type Plugin } from 'vite';

const SCRIPT = 'early-boot.js';

/** Minifies the script of `public/`, which Vite copies as it is, before it is compressed. */
export function minifyPublic(): Plugin {
  let outDir = '';
  return {
    name: 'minify-public',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    async writeBundle() {
      const path = join(outDir, SCRIPT);
      const { code, errors } = await minify(SCRIPT, await readFile(path, 'utf8'));
      const [error] = errors;
      if (error) throw new Error(`Failed to minify ${SCRIPT}: ${error.message}`);
      await writeFile(path, code);
    },
  };
}
