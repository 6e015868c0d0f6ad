import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCHES } from '@atrium/proto-events/http/search/everything';
import { expect, it } from '@jest/globals';
import { ROOT, read, SERVICE_FOLDERS } from './sources.ts';

/** A route that passes the signal of its response to the function that searches. */
const SEARCH_ROUTE = /(\w+)\(deps, (?:caller, )?\{ \.\.\.query, signal: closeSignal\(res\) \}\)/g;

const listSources = (service: string): string[] =>
  readdirSync(join(ROOT, 'services', service, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => read(join('services', service, 'src', path)));

it('every search reads within the limit of its user', () => {
  const searches = SERVICE_FOLDERS.flatMap((service) => {
    const sources = listSources(service);
    const names = sources.flatMap((source) => [...source.matchAll(SEARCH_ROUTE)].map(([, name = '']) => name));
    return names.map((name) => {
      const source = sources.find((text) => text.includes(`export async function ${name}(`)) ?? '';
      return { name, isLimited: /\breadWithin\(|\bsearchTexts\b/.test(source) };
    });
  });
  expect(searches).toHaveLength(Object.keys(SEARCHES).length);
  expect(searches.filter(({ isLimited }) => !isLimited)).toEqual([]);
});
