import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { chunkGroups } from '../build/chunk-groups.ts';

const root = join(import.meta.dirname, '../..');
const LIBRARIES = '{react-aria,react-aria-components,lucide-react,pdfjs-dist,virtua}';
const FILES = ['web/src/**/*.{ts,tsx}', 'proto-events/src/**/*.ts', `node_modules/${LIBRARIES}/**/*.{js,mjs}`];

const EXCLUSION = /\(\?!([^()]*)\)/g;

/** Returns one expression for each name in an expression, including those that it excludes. */
function listNames(expression: string): string[] {
  const exclusions = [...expression.matchAll(EXCLUSION)].flatMap(([group, names = '']) =>
    names.split('|').map((name) => expression.replace(group, () => `<${name}>`)),
  );
  return [expression, ...exclusions]
    .flatMap((part) => listAlternatives(part.replaceAll(EXCLUSION, '')))
    .map((name) => name.replaceAll('<', '(?=').replaceAll('>', ')'));
}

function listAlternatives(expression: string): string[] {
  const innermost = /\(([^()]*)\)(\?)?/.exec(expression);
  if (!innermost) return expression.split('|');
  const [group, names = '', isOptional] = innermost;
  const alternatives = [...names.split('|'), ...(isOptional ? [''] : [])];
  return [...new Set(alternatives.flatMap((name) => listAlternatives(expression.replace(group, () => name))))];
}

describe('the chunk groups', () => {
  const files = globSync(FILES, { cwd: root }).map((file) => `/${file}`);

  it.each(chunkGroups)('name only modules that exist: $name', ({ test }) => {
    const unknownNames = listNames(test.source).filter((name) => !files.some((file) => new RegExp(name).test(file)));
    expect(unknownNames).toEqual([]);
  });
});
