import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

interface LockedPackage {
  version?: string;
  integrity?: string;
  license?: string;
}

/** Returns the folder of a file's package, as in the lock file, or undefined for Atrium's own files. */
function packageFolder(file: string): string | undefined {
  const [module = ''] = file.replace(/^\0/, '').split('?', 1);
  const path = relative(ROOT, module);
  const at = path.lastIndexOf(`node_modules${sep}`);
  if (at < 0) return undefined;
  const rest = path.slice(at).split(sep);
  return path.slice(0, at) + rest.slice(0, rest[1]?.startsWith('@') ? 3 : 2).join('/');
}

const toHash = (integrity: string) => {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/);
  return { alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
};

/**
 * Creates the list of third-party components of a bundle as CycloneDX 1.6 JSON (https://cyclonedx.org/docs/1.6/json/)
 * from its files. It has no timestamp or serial number, so the output is reproducible.
 */
export async function createBillOfMaterials(name: string, files: readonly string[]) {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const locked: Record<string, LockedPackage> = lock.packages;
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  const components = await Promise.all(
    [...folders].sort().map(async (folder) => {
      const { version, integrity, license } = locked[folder] ?? {};
      if (!version) throw new Error(`${folder} is in the bundle of ${name}, but not in the lock file`);
      const title = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const purl = `pkg:npm/${title.replace('@', '%40')}@${version}`;
      return {
        type: 'library',
        'bom-ref': folder,
        name: title,
        version,
        purl,
        ...(license && { licenses: [{ expression: license }] }),
        ...(integrity && { hashes: [toHash(integrity)] }),
      };
    }),
  );
  const { version } = lock.packages[''];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'atrium', name: `atrium/${name}`, version } },
    components,
  };
}
