import { expect, it } from '@jest/globals';
import { isMetered, type Network } from './metered.ts';

it.each<[string, Network, boolean]>([
  ['with data saving', { saveData: true, type: 'wifi', effectiveType: '4g' }, true],
  ['on a cellular network', { type: 'cellular', effectiveType: '4g' }, true],
  ['as slow as 3G', { effectiveType: '3g' }, true],
  ['as slow as 2G', { effectiveType: '2g' }, true],
  ['slower than 2G', { effectiveType: 'slow-2g' }, true],
  ['that is fast', { saveData: false, type: 'wifi', effectiveType: '4g' }, false],
  ['of an unknown kind', {}, false],
])('a connection %s is metered or not', (_label, network, expected) => {
  expect(isMetered(network)).toBe(expected);
});

it('a connection is not metered in a browser that reports nothing about it', () => {
  expect(isMetered(undefined)).toBe(false);
});
