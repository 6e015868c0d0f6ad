import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const production = resolve(dirname(fileURLToPath(import.meta.resolve('react-router'))), '../production');

/** React Router's build for production, which its package names nowhere: everybody gets the one with its words for developers. */
export function productionRouter(): Plugin {
  const alias = [
    { find: /^react-router$/, replacement: resolve(production, 'index.mjs') },
    { find: /^react-router\/dom$/, replacement: resolve(production, 'dom-export.mjs') },
  ];
  return { name: 'production-router', apply: 'build', config: () => ({ resolve: { alias } }) };
}
