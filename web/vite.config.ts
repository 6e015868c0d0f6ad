import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups, isModule } from './build/chunk-groups.ts';
import { chunkManifest } from './build/chunk-manifest.ts';
import { emojiData } from './build/emoji-data.ts';
import { englishOnly } from './build/english-only.ts';
import { minifyPublic } from './build/minify-public.ts';
import { pdfData } from './build/pdf-data.ts';
import { precompress } from './build/precompress.ts';
import { preloadHints } from './build/preload-hints.ts';
import { productionRouter } from './build/production-router.ts';
import { buildTarget } from './build/supported-browsers.ts';
import { websocketOnly } from './build/websocket-only.ts';

const here = import.meta.dirname;
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';
const bucket = process.env.S3_BUCKET ?? 'atrium';

export default defineConfig({
  root: here,
  plugins: [
    react(),
    productionRouter(),
    englishOnly(),
    websocketOnly(),
    preloadHints(),
    chunkManifest(),
    pdfData(),
    emojiData(),
    minifyPublic(),
    precompress(),
  ],
  resolve: {
    alias: {
      // The browser build decodes entities with `document`, which the Markdown worker lacks.
      'decode-named-character-reference': fileURLToPath(import.meta.resolve('decode-named-character-reference')),
    },
  },
  // Minifies styles. Names of components are for debugging only, and ids for rendering on servers.
  oxc: { plugins: { styledComponents: { displayName: false, fileName: false, ssr: false, pure: true } } },
  build: {
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    manifest: true,
    target: buildTarget(),
    // Vite would inline preload hints as data URLs, which a strict policy blocks.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: resolve(here, 'index.html'),
      output: {
        codeSplitting: {
          groups: chunkGroups.map(({ modules, except = [], ...group }) => ({
            ...group,
            test: (id: string) => isModule(id, modules) && !isModule(id, except),
          })),
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    // What the gateway serves itself or proxies, except for the app.
    proxy: {
      '^/api(/|$)': { target: api, xfwd: true },
      '^/socket.io/': { target: api, xfwd: true, ws: true },
      [`^/${bucket}/`]: { target: api, xfwd: true },
    },
  },
});
