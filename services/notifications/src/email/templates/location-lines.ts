import { longTime } from './times.ts';

type Given = { at: string; device: string | null; address: string | null; timezone: string };

/** When and from where something was done, as far as it is known. */
export function placeFacts({ at, device, address, timezone }: Given): [label: string, value: string][] {
  const facts: [string, string | null][] = [
    ['When', longTime(at, timezone)],
    ['Device', device],
    ['Network address', address],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value]]));
}
