import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const PAGE = 'index.html';
/** The PDF chunk is as large as all others together, and viewing a PDF needs the network anyway. */
const EXCLUDED = 'pdf';

/**
 * Writes the names of all scripts into a file that the page references, for `app/router/prefetch-chunks.ts`. Runs last,
 * because Vite drops entries that only import after it has written the page.
 */
export function chunkManifest(): Plugin {
  return {
    name: 'chunk-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[PAGE];
        if (page?.type !== 'asset')
          throw new Error(`${PAGE} is not in the build, so it cannot reference the chunk manifest`);
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const pdfFile = chunks.find(({ name }) => name === EXCLUDED)?.fileName;
        // Prefetching a module that imports the PDF chunk would also load the PDF chunk.
        const prefetched = chunks.filter(
          ({ fileName, imports }) => ![fileName, ...imports].some((name) => name === pdfFile),
        );
        const chunkPaths = prefetched.map(({ fileName }) => `/${fileName}`);
        const source = JSON.stringify(chunkPaths.sort());
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
        const fileName = `assets/chunks-${hash}.json`;
        this.emitFile({ type: 'asset', fileName, source });
        page.source = String(page.source).replace(
          '</head>',
          `  <meta name="atrium-chunks" content="/${fileName}">\n  </head>`,
        );
      },
    },
  };
}
