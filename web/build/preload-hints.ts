import type { Plugin, Rolldown } from 'vite';

const PAGE = 'index.html';
const EMPTY = '<meta name="atrium-signed-in" content="" />';
/** The groups of `chunk-groups.ts` that every signed-in screen needs. */
const SIGNED_IN = ['shell', 'basics'];
/** What every one of them asks for before it draws anything. */
const PROFILE = '/users/profile';
/**
 * Where most arrive, the route that is drawn there, and what that asks for first, as `lib/cache/keys.ts` writes it (`*` is any one segment);
 * what every address needs would be longer than what it hastens.
 */
const SCREENS: Record<string, { route: string; reads: string[] }> = {
  '/': {
    route: 'dashboard',
    reads: [
      '/projects/stats',
      '/users/stats/overview',
      '/projects?limit=6&people=6',
      '/meetings/upcoming?limit=5&people=6&series=once',
    ],
  },
  '/chat': { route: 'chat', reads: ['/chat/conversations?limit=100&people=6'] },
  // A board whose address chooses something (`?`) may ask for other tasks than all.
  '/progress/*': {
    route: 'project',
    reads: [
      '/projects/*',
      ...['todo', 'in-progress', 'review', 'done'].map(
        (status) => `?/tasks/project/*?limit=100&page=1&sort=priority&status=${status}`,
      ),
    ],
  },
};

/**
 * Writes into the page what `public/early-boot.js` asks for at once where somebody is signed in: JSON of the scripts and the
 * questions of every address, as those of `*`, and of what each address in `SCREENS` needs besides. What begins with a slash is a
 * question, and with `?/` one that holds for an address without a query.
 */
export function preloadHints(): Plugin {
  return {
    name: 'preload-hints',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[PAGE];
        if (page?.type !== 'asset' || !String(page.source).includes(EMPTY)) throw new Error(`${PAGE} has no ${EMPTY}`);
        const html = String(page.source);
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        /** What a script needs, itself included, but what the page loads anyway. */
        const needs = (chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> => {
          if (found.has(chunk.fileName) || html.includes(chunk.fileName)) return found;
          found.add(chunk.fileName);
          for (const one of chunks) if (chunk.imports.includes(one.fileName)) needs(one, found);
          return found;
        };
        const named = (what: string, is: (chunk: Rolldown.OutputChunk) => boolean) => {
          const chunk = chunks.find(is);
          if (!chunk) throw new Error(`The build has no piece ${what}`);
          return [...needs(chunk)];
        };
        const everywhere = [...new Set(SIGNED_IN.flatMap((group) => named(group, ({ name }) => name === group)))];
        const hints: Record<string, string> = { '*': [PROFILE, ...everywhere].join(' ') };
        for (const [address, { route, reads }] of Object.entries(SCREENS)) {
          const drawn = named(route, ({ moduleIds }) =>
            moduleIds.some((id) => id.endsWith(`/app/routes/${route}.tsx`)),
          );
          hints[address] = [...reads, ...drawn.filter((chunk) => !everywhere.includes(chunk))].join(' ');
        }
        // In a page a bare `&` may begin something else.
        const written = JSON.stringify(hints).replaceAll('&', '\\u0026');
        page.source = html.replace(EMPTY, () => EMPTY.replace('""', () => `'${written}'`));
      },
    },
  };
}
