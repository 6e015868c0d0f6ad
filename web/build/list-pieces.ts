import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/** Writes the names of all scripts of the build into a file of its own, which the page names: what `app/fetch-ahead.ts` fetches. */
export function listPieces(): Plugin {
  let list = '';
  return {
    name: 'list-pieces',
    apply: 'build',
    enforce: 'pre',
    generateBundle(_options, bundle) {
      const pieces = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [`/${one.fileName}`] : []));
      const source = JSON.stringify(pieces.sort());
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
      list = `assets/pieces-${hash}.json`;
      this.emitFile({ type: 'asset', fileName: list, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () =>
        list ? [{ tag: 'meta', attrs: { name: 'atrium-pieces', content: `/${list}` }, injectTo: 'head' }] : [],
    },
  };
}
