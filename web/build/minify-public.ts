import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify, type Plugin } from 'vite';

const SCRIPTS = ['early-boot.js', 'service-worker.js'];

/** Minifies the scripts of `public/`, which Vite copies as they are, before they are compressed. */
export function minifyPublic(): Plugin {
  let outDir = '';
  return {
    name: 'minify-public',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    async writeBundle() {
      for (const script of SCRIPTS) {
        const path = join(outDir, script);
        const { code, errors } = await minify(script, await readFile(path, 'utf8'));
        const [error] = errors;
        if (error) throw new Error(`Failed to minify ${script}: ${error.message}`);
        await writeFile(path, code);
      }
    },
  };
}
