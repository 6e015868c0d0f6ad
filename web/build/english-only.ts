import type { Plugin } from 'vite';

/** What React Aria says, in another language than English. */
const FOREIGN = /\/react-(?:aria|aria-components|stately)\/dist\/private\/intl\/(?:[^/]+\/)?(?!en-US\.)[\w-]+\.mjs$/;

/**
 * Leaves out React Aria's own words in the 33 languages that no other word of the app is in. Its dictionaries pass over what is
 * `undefined` and give English to everybody, as a page does that says `lang="en"`; dates and numbers stay the reader's.
 */
export function englishOnly(): Plugin {
  return {
    name: 'english-only',
    apply: 'build',
    enforce: 'pre',
    load: { filter: { id: FOREIGN }, handler: () => 'export default undefined;' },
  };
}
