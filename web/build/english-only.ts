import type { Plugin } from 'vite';

/** React Aria's messages in languages other than English. */
const FOREIGN_MESSAGES =
  /\/react-(?:aria|aria-components|stately)\/dist\/private\/intl\/(?:[^/]+\/)?(?!en-US\.)[\w-]+\.mjs$/;

/**
 * Leaves out React Aria's messages in 33 other languages, since the app is in English. Its dictionaries skip
 * `undefined` and fall back to English; dates and numbers keep the user's format.
 */
export function englishOnly(): Plugin {
  return {
    name: 'english-only',
    apply: 'build',
    enforce: 'pre',
    load: { filter: { id: FOREIGN_MESSAGES }, handler: () => 'export default undefined;' },
  };
}
