import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { setUpWorkspace } from '../workspace/workspace.ts';
import { launchChromium } from './chromium.ts';
import { checkScreens } from './messaging-day/accessibility.ts';
import { createChannelAndEmoji, joinChannels, sortList } from './messaging-day/channels.ts';
import { collect, continueDraft, markUnread, react, schedule } from './messaging-day/collecting.ts';
import { endDay, goOffline } from './messaging-day/evening.ts';
import { announce, archive, leaveAndRemove } from './messaging-day/membership.ts';
import { search } from './messaging-day/searching.ts';
import { createTask, forward, linkPrivately, poll, sendVoiceNote } from './messaging-day/sharing.ts';
import { openTeam, type Team } from './messaging-day/team.ts';
import { followThreads, replyInThread } from './messaging-day/threads.ts';
import { correct, mention, writeFormatted } from './messaging-day/writing.ts';
import { checkBrowsers } from './test-environment.ts';

let system: System;
let browser: Browser;
let team: Team;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem({ env: HIGH_LIMITS }), launchChromium()]);
  team = await openTeam(browser, system.url, await setUpWorkspace(system.url));
});

afterAll(async () => {
  await browser?.close();
  await system?.stop();
}, 90_000);

const { expectErrors } = checkBrowsers();

/** The parts of the day depend on each other. */
function parts(list: readonly [name: string, run: (team: Team) => Promise<void>][]): void {
  let failed: string | undefined;
  for (const [name, run] of list)
    it(name, async () => {
      if (failed !== undefined) throw new Error(`Not run, because "${failed}" failed`);
      failed = name;
      await run(team);
      failed = undefined;
    });
}

describe('a day of messaging in five browsers', () => {
  parts([
    ['a channel with a department and an emoji are created', createChannelAndEmoji],
    ['a public channel is found and joined', joinChannels],
    ['a phone mutes one channel and stars another', sortList],
    ['formatted messages are written with keys and shown to everyone', writeFormatted],
    ['users, everyone, and a department are mentioned', mention],
    ['a message is completed, edited, and retracted', correct],
    ['four users reply in a thread', replyInThread],
    ['threads count for those who follow them', followThreads],
    ['three users react, also with the emoji of the workspace', react],
    ['messages are pinned, saved, and remembered', collect],
    ['two tabs agree on what was marked as unread', markUnread],
    ['a draft continues on the phone', continueDraft],
    ['messages are scheduled, and sent ahead of time', schedule],
    ['a message is forwarded with a comment', forward],
    ['three users vote in a poll', poll],
    ['a voice note is recorded on the phone, and played by the others', sendVoiceNote],
    ['a message becomes a task with a live state', createTask],
    ['a private link unfurls for its participants only', linkPrivately],
    ['an announcement channel takes messages of its managers only', announce],
    ['a channel is archived and restored', archive],
    ['one member leaves, and another one is removed', leaveAndRemove],
    [
      'nothing is lost or doubled while offline',
      (team) => {
        expectErrors(/ERR_INTERNET_DISCONNECTED/);
        return goOffline(team);
      },
    ],
    ['messages and replies are found, and jumped to', search],
    ['the fullest screens are accessible in both themes', checkScreens],
    ['everything is read, and equals a fresh load', endDay],
  ]);
});
