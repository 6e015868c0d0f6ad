import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runHistory } from './history.ts';
import { openOffice } from './in-process.ts';
import type { Office } from './office.ts';

/** Thousands by `ORACLE_HISTORIES=2000 npm test -- tests/calendars`; one again by `ORACLE_SEED=…` and one history. */
const HISTORIES = Number(process.env.ORACLE_HISTORIES ?? 60);
const SEED = Number(process.env.ORACLE_SEED ?? Date.now() % 1_000_000_000);
const STEPS = 9;
const KEPT_MAILS = 300;

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

describe('the calendars of who takes every mail', () => {
  it(
    `show exactly what the list of meetings shows: ${HISTORIES} histories from seed ${SEED}`,
    async () => {
      const kept: { to: string; text: string }[] = [];
      const wrong: string[] = [];
      let [refused, steps, mails] = [0, 0, 0];
      for (let seed = SEED; seed < SEED + HISTORIES && wrong.length < 3; seed += 1) {
        const outcome = await runHistory(office, seed, STEPS);
        refused += outcome.refused;
        steps += outcome.steps.length;
        mails += outcome.mails.length;
        if (kept.length < KEPT_MAILS) kept.push(...outcome.mails);
        if (outcome.difference)
          wrong.push([`ORACLE_SEED=${seed} ORACLE_HISTORIES=1`, ...outcome.steps, outcome.difference].join('\n'));
      }
      keepFiles(kept);
      process.stdout.write(
        `oracle: seed ${SEED}, ${HISTORIES} histories, ${steps} steps, ${refused} refused, ${mails} mails\n`,
      );
      expect(wrong.join('\n\n').slice(0, 6_000)).toBe('');
      expect(mails).toBeGreaterThan(HISTORIES);
      expect(refused).toBeLessThan(steps / 3);
    },
    HISTORIES * 5_000 + 60_000,
  );
});

/** For other programs that read calendars, see `second-parser.py`. */
function keepFiles(mails: readonly { text: string }[]): void {
  const folder = new URL('../../output/calendars/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [index, { text }] of mails.slice(0, KEPT_MAILS).entries())
    writeFileSync(new URL(`${String(index).padStart(4, '0')}.ics`, folder), text);
}
