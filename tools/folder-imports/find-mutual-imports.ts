import { dirname, join } from 'node:path/posix';

/** Source trees whose folders are compared. */
const TREE =
  /^(?:packages\/dev-server|(?:packages|services)\/[^/]+\/src|(?:gateway|proto-events)\/src|web\/src\/(?:features\/)?[^/]+|(?:tests|tools)\/[^/]+)(?=\/)/;
/** Relative imports, and those by the `imports` of a `package.json`, such as `#lib/day.ts`. */
const LOCAL_IMPORT = /\b(?:from|import) ?\(?\s*'([.#][^']+)'/g;

/** Two folders of a source tree, with the imports of the direction that has fewer. */
export type MutualImport = { tree: string; folders: [string, string]; imports: string[] };

/** Pairs of folders that import each other. A file at the top of a tree, such as `app.ts`, counts as its own folder. */
export function findMutualImports(files: readonly { path: string; text: string }[]): MutualImport[] {
  const imports = new Map<string, string[]>();
  for (const { path, text } of files) {
    const from = folderOf(path);
    if (from === undefined) continue;
    for (const [, target = ''] of text.matchAll(LOCAL_IMPORT)) {
      const to = folderOf(resolve(path, target));
      if (to === undefined || to === from || treeOf(to) !== treeOf(from)) continue;
      const key = keyOf(from, to);
      imports.set(key, [...(imports.get(key) ?? []), `${path} imports ${target}`]);
    }
  }
  return [...imports].flatMap(([key, there]) => {
    const [a = '', b = ''] = key.split('\n');
    const back = imports.get(keyOf(b, a));
    if (a > b || !back) return [];
    return [{ tree: treeOf(a) ?? '', folders: [a, b], imports: there.length < back.length ? there : back }];
  });
}

const resolve = (path: string, target: string) =>
  target.startsWith('#') ? path.replace(/\/src\/.*/, `/src/${target.slice(1)}`) : join(dirname(path), target);

const keyOf = (from: string, to: string) => `${from}\n${to}`;

const treeOf = (path: string): string | undefined => TREE.exec(path)?.[0];

function folderOf(path: string): string | undefined {
  const tree = treeOf(path);
  if (tree === undefined) return undefined;
  const folder = dirname(path);
  return folder === tree ? path : folder;
}
