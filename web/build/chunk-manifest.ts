import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';

const PAGE = 'index.html';
/** The PDF chunk is as large as all others together, and viewing a PDF needs the network anyway. */
const EXCLUDED = 'pdf';
/** The shell and its screens; those for signed-out users prefetch nothing. */
const SCREEN =
  /\/app\/(?:routes\/(?!accept-invite|auth-layout|forgot-password|login|not-found|reset-password)([\w-]+)|shell\/(shell))\.tsx$/;

type Chunks = Map<string, Rolldown.OutputChunk>;

/**
 * Writes which scripts each screen needs into a file that the page references, for `app/shell/loading/fetch-chunks.ts`: those
 * that it loads at once (`screen`), and those of its dialogs and menus (`onDemand`). Runs last, because Vite drops entries
 * that only import after it has written the page.
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
        const outputs = Object.values(bundle).filter((output) => output.type === 'chunk');
        const chunks: Chunks = new Map(outputs.map((chunk) => [chunk.fileName, chunk]));
        const source = JSON.stringify(Object.fromEntries(outputs.flatMap((chunk) => describeScreens(chunk, chunks))));
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

function describeScreens(chunk: Rolldown.OutputChunk, chunks: Chunks) {
  const screen = collect([chunk.fileName], chunks, ({ imports }) => imports);
  const all = collect(screen, chunks, ({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const onDemand = all.filter((file) => !screen.includes(file));
  return chunk.moduleIds.flatMap((id) => {
    const [, route, shell] = SCREEN.exec(id) ?? [];
    const name = route ?? shell;
    return name ? [[name, { screen: screen.map(toPath), onDemand: onDemand.map(toPath) }] as const] : [];
  });
}

/** Follows imports, except into the PDF chunk and its importers, which would load it as well. */
function collect(
  files: readonly string[],
  chunks: Chunks,
  follow: (chunk: Rolldown.OutputChunk) => string[],
): string[] {
  const collected = new Set<string>();
  const add = (file: string) => {
    const chunk = chunks.get(file);
    if (!chunk || collected.has(file) || needsPdf(chunk, chunks)) return;
    collected.add(file);
    for (const imported of follow(chunk)) add(imported);
  };
  for (const file of files) add(file);
  return [...collected];
}

const needsPdf = (chunk: Rolldown.OutputChunk, chunks: Chunks) =>
  [chunk, ...chunk.imports.map((file) => chunks.get(file))].some((one) => one?.name === EXCLUDED);

const toPath = (file: string) => `/${file}`;
