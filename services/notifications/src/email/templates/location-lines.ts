import { longTime } from './times.ts';

type LocationParams = { at: string; device: string | null; address: string | null; timezone: string };

export function locationLines({ at, device, address, timezone }: LocationParams): [label: string, value: string][] {
  const facts: [string, string | null][] = [
    ['When', longTime(at, timezone)],
    ['Device', device],
    ['Network address', address],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value]]));
}
