import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { chunkGroups, isModule } from '../build/chunk-groups.ts';

const root = join(import.meta.dirname, '../..');
const LIBRARIES = '{react-aria,react-aria-components,lucide-react,pdfjs-dist,virtua}';
const FILES = ['web/src/**/*.{ts,tsx}', 'proto-events/src/**/*.ts', `node_modules/${LIBRARIES}/**/*.{js,mjs}`];

describe('the chunk groups', () => {
  const files = globSync(FILES, { cwd: root }).map((file) => `/${file}`);

  it.each(chunkGroups)('name only modules that exist: $name', ({ modules, except = [] }) => {
    const isUnknown = (path: string) => !files.some((file) => isModule(file, [path]));
    expect([...modules, ...except].filter(isUnknown)).toEqual([]);
  });
});
