import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));

/** By folder, what of it is needed: no WebAssembly, which the page's policy does not let run. */
const NEEDED = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  wasm: /_nowasm_fallback\.js$|^LICENSE_/,
};

/** The names below `/pdf/` with their files. */
function listData(): Map<string, string> {
  return new Map(
    Object.entries(NEEDED).flatMap(([folder, pattern]) =>
      readdirSync(join(PACKAGE, folder))
        .filter((name) => pattern.test(name))
        .map((name): [string, string] => [`pdf/${folder}/${name}`, join(PACKAGE, folder, name)]),
    ),
  );
}

/** Puts beside the app what pdf.js loads when a file needs it: maps of characters, the standard fonts, decoders of two kinds of pictures. */
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
