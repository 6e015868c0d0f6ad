import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));

/** Matches the required files of each folder. The content security policy blocks WebAssembly, so it is excluded. */
const FILE_PATTERNS = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  wasm: /_nowasm_fallback\.js$|^LICENSE_/,
};

/** Maps URL paths below `/pdf/` to files on disk. */
function listData(): Map<string, string> {
  return new Map(
    Object.entries(FILE_PATTERNS).flatMap(([folder, pattern]) =>
      readdirSync(join(PACKAGE, folder))
        .filter((name) => pattern.test(name))
        .map((name): [string, string] => [`pdf/${folder}/${name}`, join(PACKAGE, folder, name)]),
    ),
  );
}

/** Serves the files that pdf.js loads on demand: character maps, standard fonts, and image decoders. */
export function pdfData(): Plugin {
  return {
    name: 'pdf-data',
    configureServer(server) {
      const data = listData();
      server.middlewares.use((req, res, next) => {
        const path = data.get(decodeURIComponent((req.url ?? '').split('?')[0] ?? '').slice(1));
        if (path === undefined) return next();
        if (path.endsWith('.js')) res.setHeader('Content-Type', 'text/javascript');
        res.end(readFileSync(path));
      });
    },
    generateBundle() {
      for (const [fileName, path] of listData()) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
      }
    },
  };
}
