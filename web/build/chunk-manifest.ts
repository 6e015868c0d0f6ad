import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const PAGE = 'index.html';
/** As large as all others together, and of use only to who looks at a PDF, for which the network is needed anyway. */
const EXCLUDED = 'pdf';

/**
 * Writes the names of all scripts of the build into a file of its own, which the page names: what `app/prefetch-chunks.ts` fetches. Last of
 * all, because Vite drops an entry of which nothing is left but imports only when it has written the page.
 */
export function chunkManifest(): Plugin {
  return {
    name: 'chunk-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[PAGE];
        if (page?.type !== 'asset') throw new Error(`${PAGE} is not in the build, so nothing can name its pieces`);
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const late = chunks.find(({ name }) => name === EXCLUDED)?.fileName;
        // What imports it may bring it along.
        const early = chunks.filter(({ fileName, imports }) => ![fileName, ...imports].some((name) => name === late));
        const chunkPaths = early.map(({ fileName }) => `/${fileName}`);
        const source = JSON.stringify(chunkPaths.sort());
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
        const fileName = `assets/pieces-${hash}.json`;
        this.emitFile({ type: 'asset', fileName, source });
        page.source = String(page.source).replace(
          '</head>',
          `  <meta name="atrium-pieces" content="/${fileName}">\n  </head>`,
        );
      },
    },
  };
}
