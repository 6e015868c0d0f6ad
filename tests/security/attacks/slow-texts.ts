import { expect } from '@jest/globals';
import { send } from '../../flows/workspace.ts';
import { type Attack, fastest } from './attack.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const report = (url: string, stack: string) =>
  send(`${url}/api/client-errors`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'x-forwarded-for': `198.18.0.${Math.ceil(Math.random() * 250)}` },
    body: JSON.stringify({ message: 'x', stack }),
  });

/** Quadratic time would be some 250 ms for each of these on a fast machine; a harmless text of the same length takes a few. */
const expectAlike = async (attack: () => Promise<unknown>, harmless: () => Promise<unknown>) =>
  expect(await fastest(attack)).toBeLessThan(10 * (await fastest(harmless)) + 50);

export const slowPath: Attack = {
  name: 'a path with a run of slashes takes no longer than any other',
  run: ({ url }) => {
    const get = (text: string) => () => send(`${url}/api/${text}x`, {});
    return expectAlike(get('/'.repeat(15_000)), get('a'.repeat(15_000)));
  },
};

export const slowReports: readonly Attack[] = ['?', '-', '#a', 'a@', '.a@'].map((unit) => ({
  name: `a report of an error that repeats ${unit} takes no longer than any other`,
  run: ({ url }) =>
    expectAlike(
      () => report(url, unit.repeat(10_000 / unit.length)),
      () => report(url, 'a '.repeat(5_000)),
    ),
}));
