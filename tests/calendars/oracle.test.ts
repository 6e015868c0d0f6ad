import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CalendarTeam } from './calendar-team.ts';
import { runHistory } from './history.ts';
import { openInProcessTeam } from './in-process-team.ts';
import { runReferenceParser } from './reference-parser.ts';

/**
 * The number of histories. Run more with `CALENDAR_FUZZ_RUNS=2000 npm test -- tests/calendars`, or repeat one with its
 * `CALENDAR_FUZZ_SEED`.
 */
const HISTORIES = Number(process.env.CALENDAR_FUZZ_RUNS ?? 60);
const SEED = Number(process.env.CALENDAR_FUZZ_SEED ?? Date.now() % 1_000_000_000);
const STEPS = 9;
const MAX_SAVED_EMAILS = 300;
const MAX_SAVED_FEEDS = 150;

const FOLDER = new URL('../../output/calendars/', import.meta.url);

let team: CalendarTeam;
beforeAll(async () => {
  team = await openInProcessTeam();
});
afterAll(() => team.close());

describe('calendars that process every email', () => {
  it(
    `show the same meetings as the meeting list: ${HISTORIES} histories from seed ${SEED}`,
    async () => {
      const savedEmails: string[] = [];
      const savedFeeds: string[] = [];
      const differences: string[] = [];
      let rejectedCount = 0;
      let stepCount = 0;
      let emailCount = 0;
      for (let seed = SEED; seed < SEED + HISTORIES && differences.length < 3; seed += 1) {
        const outcome = await runHistory(team, seed, STEPS);
        rejectedCount += outcome.rejectedCount;
        stepCount += outcome.steps.length;
        emailCount += outcome.emails.length;
        savedEmails.push(...outcome.emails.slice(0, MAX_SAVED_EMAILS - savedEmails.length).map(({ text }) => text));
        savedFeeds.push(...outcome.feeds.slice(0, MAX_SAVED_FEEDS - savedFeeds.length));
        if (outcome.difference)
          differences.push(
            [`CALENDAR_FUZZ_SEED=${seed} CALENDAR_FUZZ_RUNS=1`, ...outcome.steps, outcome.difference].join('\n'),
          );
      }
      saveFiles({ '': savedEmails, feeds: savedFeeds });
      process.stdout.write(
        `oracle: seed ${SEED}, ${HISTORIES} histories, ${stepCount} steps, ${rejectedCount} rejected, ${emailCount} emails\n`,
      );
      expect(differences.join('\n\n').slice(0, 6_000)).toBe('');
      expect(emailCount).toBeGreaterThan(HISTORIES);
      expect(rejectedCount).toBeLessThan(stepCount / 3);
    },
    HISTORIES * 5_000 + 600_000,
  );

  it('receive emails and feeds that a reference parser reads and writes unchanged', async () => {
    const result = await runReferenceParser();
    // Without Python or a network, the check is skipped, except in CI.
    if (!result.isChecked && !process.env.CI)
      return void process.stdout.write(`NOT CHECKED by the reference parser: ${result.reason}\n`);
    if (!result.isChecked) throw new Error(result.reason);
    process.stdout.write(`reference parser: ${result.output}`);
    writeFileSync(new URL('reference-parser.txt', FOLDER), result.output);
    expect(result).toMatchObject({ hasPassed: true });
  });
});

/** Saves files for `reference-parser.py` and for manual tests with other calendar programs. */
function saveFiles(filesByFolder: Readonly<Record<string, readonly string[]>>): void {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const [folder, texts] of Object.entries(filesByFolder)) {
    mkdirSync(new URL(`./${folder}`, FOLDER), { recursive: true });
    for (const [index, text] of texts.entries())
      writeFileSync(new URL(`./${folder && `${folder}/`}${String(index).padStart(4, '0')}.ics`, FOLDER), text);
  }
}
