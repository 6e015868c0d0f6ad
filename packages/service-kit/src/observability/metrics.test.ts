import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type GaugeSample, gaugeAtScrape } from './metrics.ts';

it('gaugeAtScrape removes a series while its value is unavailable, with or without labels, and restores it', async () => {
  const registry = new Registry();
  let readValue = (): number | undefined => undefined;
  const read = (labels: Record<string, string>): GaugeSample[] => {
    const value = readValue();
    return value === undefined ? [] : [{ value, labels }];
  };
  gaugeAtScrape(registry, { name: 'age_seconds', help: 'Age', read: () => read({}) });
  gaugeAtScrape(registry, {
    name: 'entries',
    help: 'Entries',
    labelNames: ['kind'],
    read: () => read({ kind: 'users' }),
  });
  const readSeries = async () => (await registry.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
  expect(await readSeries()).toEqual([]);
  readValue = () => 3;
  expect(await readSeries()).toEqual(['age_seconds 3', 'entries{kind="users"} 3']);
  readValue = () => {
    throw new Error('the store is unavailable');
  };
  expect(await readSeries()).toEqual([]);
  readValue = () => 4;
  expect(await readSeries()).toEqual(['age_seconds 4', 'entries{kind="users"} 4']);
});
