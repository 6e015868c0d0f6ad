import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';

const STILL_MS = 30_000;

/**
 * One pod of each stands still, as when a machine pauses it, and in the moment in which it goes on the other one does: whichever of
 * them leads the relay, the consumers and the mails comes to its turn, and finds a successor when it goes on.
 */
const standStill = (names: readonly string[], more: Partial<Scenario> = {}): Scenario => ({
  name: `one pod stands still, then the other: ${names.join(', ')}`,
  affected: names,
  async cause({ cluster }) {
    const parts = (index: number) => names.flatMap((name) => cluster.pods(name)[index]?.part ?? []);
    const [first, second] = [parts(0), parts(1)];
    for (const part of first) part.kill('SIGSTOP');
    await pause(STILL_MS);
    for (const part of first) part.kill('SIGCONT');
    for (const part of second) part.kill('SIGSTOP');
    return async () => {
      for (const part of second) part.kill('SIGCONT');
    };
  },
  lastsMs: STILL_MS,
  // A store that did not answer for so long counts as away until it does.
  provokes: [/(Notifications are|File storage is) not available right now/],
  ...more,
});

export const standstills: readonly Scenario[] = [
  // In the moment in which a mail is with the mail server nothing tells whether it was taken.
  standStill(['auth', 'users', 'notifications'], {
    mailsTwice: true,
  }),
  standStill(['projects', 'meetings']),
  standStill(['documents', 'chat']),
  standStill(['gateway']),
];
