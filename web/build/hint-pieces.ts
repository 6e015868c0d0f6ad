import type { Plugin } from 'vite';

const PAGE = 'index.html';
const EMPTY = '<meta name="atrium-signed-in" content="" />';
/** The groups of `chunk-groups.ts` that every signed-in screen needs. */
const SIGNED_IN = ['shell', 'home'];

/** Writes into the page what `public/before-paint.js` asks for at once where somebody is signed in. */
export function hintPieces(): Plugin {
  return {
    name: 'hint-pieces',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[PAGE];
        if (page?.type !== 'asset' || !String(page.source).includes(EMPTY)) throw new Error(`${PAGE} has no ${EMPTY}`);
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const pieces = SIGNED_IN.map((group) => {
          const chunk = chunks.find(({ name }) => name === group);
          if (!chunk) throw new Error(`The build has no piece ${group}`);
          return `/${chunk.fileName}`;
        });
        page.source = String(page.source).replace(EMPTY, EMPTY.replace('""', `"${pieces.join(' ')}"`));
      },
    },
  };
}
