import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CalendarTeam } from './calendar-team.ts';
import { runHistory } from './history.ts';
import { openWire } from './over-the-wire.ts';

/** Dozens by `CALENDAR_FUZZ_E2E_RUNS=40 npm test -- tests/calendars`. */
const HISTORIES = Number(process.env.CALENDAR_FUZZ_E2E_RUNS ?? 3);
const SEED = Number(process.env.CALENDAR_FUZZ_SEED ?? Date.now() % 1_000_000_000);
const STEPS = 7;

let office: CalendarTeam;
beforeAll(async () => {
  office = await openWire();
});
afterAll(() => office.close());

describe('the calendars of who gets every mail from a mail server', () => {
  it(
    `come to show exactly what the list of meetings shows: ${HISTORIES} histories from seed ${SEED}`,
    async () => {
      const wrong: string[] = [];
      let mails = 0;
      for (let seed = SEED; seed < SEED + HISTORIES && wrong.length < 2; seed += 1) {
        const outcome = await runHistory(office, seed, STEPS);
        mails += outcome.mails.length;
        if (outcome.difference)
          wrong.push([`CALENDAR_FUZZ_SEED=${seed}`, ...outcome.steps, outcome.difference].join('\n'));
      }
      process.stdout.write(`whole way: seed ${SEED}, ${HISTORIES} histories, ${mails} mails\n`);
      expect(wrong.join('\n\n').slice(0, 6_000)).toBe('');
      expect(mails).toBeGreaterThan(HISTORIES);
    },
    HISTORIES * 60_000 + 60_000,
  );
});
