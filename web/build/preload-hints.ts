import type { Plugin, Rolldown } from 'vite';

const PAGE = 'index.html';
const EMPTY = '<meta name="atrium-signed-in" content="" />';
/** The groups of `chunk-groups.ts` that every signed-in screen needs. */
const SIGNED_IN = ['shell', 'basics'];
/** The request that every screen waits for. */
const PROFILE = '/users/profile';
/**
 * The most frequent entry screens, with their routes and first requests, keyed like `lib/query/use-read.ts` (`*` is any
 * single segment). Hints for every path would cost more than they save.
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
  '/my-work': {
    route: 'my-work',
    reads: [
      '/tasks/my-tasks?limit=50&page=1&sort=due&status=todo%2Cin-progress%2Creview',
      '/projects/my-projects?limit=100&people=1&status=not-started%2Cin-progress%2Con-hold',
    ],
  },
  '/notifications': { route: 'notifications', reads: ['?/notifications?limit=20&page=1'] },
  '/chat': { route: 'chat', reads: ['/chat/conversations?limit=100&people=6'] },
  // A board with filters in its URL (`?`) may request other tasks.
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
 * Writes a JSON object into the page with what `public/early-boot.js` preloads for a signed-in user. `*` lists
 * the scripts and requests of every path; the other keys are the paths in `SCREENS` with their additional ones. An entry
 * that starts with a slash is a request; one that starts with `?/` is a request only for a URL without a query.
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
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        /** Returns the chunk and its imports, except those that the page loads anyway. */
        const collectImports = (chunk: Rolldown.OutputChunk, collectedFiles = new Set<string>()): Set<string> => {
          if (collectedFiles.has(chunk.fileName) || html.includes(chunk.fileName)) return collectedFiles;
          collectedFiles.add(chunk.fileName);
          for (const imported of chunks)
            if (chunk.imports.includes(imported.fileName)) collectImports(imported, collectedFiles);
          return collectedFiles;
        };
        const getChunkFiles = (label: string, matches: (chunk: Rolldown.OutputChunk) => boolean) => {
          const chunk = chunks.find(matches);
          if (!chunk) throw new Error(`The build has no chunk for ${label}`);
          return [...collectImports(chunk)];
        };
        const everywhere = [
          ...new Set(SIGNED_IN.flatMap((group) => getChunkFiles(group, ({ name }) => name === group))),
        ];
        const hints: Record<string, string> = { '*': [PROFILE, ...everywhere].join(' ') };
        for (const [path, { route, reads }] of Object.entries(SCREENS)) {
          const routeChunks = getChunkFiles(route, ({ moduleIds }) =>
            moduleIds.some((id) => id.endsWith(`/app/routes/${route}.tsx`)),
          );
          hints[path] = [...reads, ...routeChunks.filter((chunk) => !everywhere.includes(chunk))].join(' ');
        }
        // In HTML a bare `&` may start a character reference.
        const json = JSON.stringify(hints).replaceAll('&', '\\u0026');
        page.source = html.replace(EMPTY, () => EMPTY.replace('""', () => `'${json}'`));
      },
    },
  };
}
