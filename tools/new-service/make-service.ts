import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deriveNames, fillTemplate, type Names } from './names.ts';
import { type Registered, register } from './register.ts';

const TEMPLATE = fileURLToPath(new URL('./template', import.meta.url));

const copyTemplate = async (root: string, names: Names): Promise<string[]> => {
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const created: string[] = [];
  for (const file of files.sort()) {
    // Template files end in .txt, so that compilers and linters ignore them.
    const target = fillTemplate(relative(TEMPLATE, file).replace(/\.txt$/, ''), names);
    await mkdir(dirname(join(root, target)), { recursive: true });
    await writeFile(join(root, target), fillTemplate(await readFile(file, 'utf8'), names), { flag: 'wx' });
    created.push(target);
  }
  return created;
};

export const makeService = async (root: string, name: string): Promise<Registered & { created: string[] }> => {
  const names = deriveNames(name);
  for (const path of [`services/${name}`, `proto-events/src/http/${name}.ts`]) {
    if (existsSync(join(root, path))) throw new Error(`${path} already exists.`);
  }
  return { created: await copyTemplate(root, names), ...(await register(root, names)) };
};
