import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const production = resolve(dirname(fileURLToPath(import.meta.resolve('react-router'))), '../production');

/**
 * Uses React Router's production build, which its package does not export: the default one contains development
 * messages.
 */
export function productionRouter(): Plugin {
  const alias = [
    { find: /^react-router$/, replacement: resolve(production, 'index.mjs') },
    { find: /^react-router\/dom$/, replacement: resolve(production, 'dom-export.mjs') },
  ];
  return { name: 'production-router', apply: 'build', config: () => ({ resolve: { alias } }) };
}
