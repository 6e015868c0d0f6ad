import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { expect, it } from '@jest/globals';
import { ENTRIES } from './register.ts';

it.each(ENTRIES)('finds where to insert a new service into $file after $after', ({ file, after }) => {
  expect(readFileSync(join(CHECKOUT, file), 'utf8')).toMatch(after);
});
