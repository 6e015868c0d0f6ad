import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type GaugeSample, gaugeAtScrape } from './metrics.ts';

it('gaugeAtScrape removes the series while its value is unavailable, with labels or without, and restores it', async () => {
  const registry = new Registry();
  let read = (): GaugeSample[] => [];
  gaugeAtScrape(registry, { name: 'age_seconds', help: 'Age', read: () => read() });
  gaugeAtScrape(registry, { name: 'entries', help: 'Entries', labelNames: ['kind'], read: () => read() });
  const series = async () => (await registry.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
  expect(await series()).toEqual([]);
  read = () => [{ value: 3 }];
  expect(await series()).toEqual(['age_seconds 3', 'entries 3']);
  read = () => {
    throw new Error('the store is unavailable');
  };
  expect(await series()).toEqual([]);
});
