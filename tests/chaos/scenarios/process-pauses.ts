import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';

const PAUSE_MS = 30_000;

/**
 * Pauses one pod of each service, as when a machine is suspended, and pauses the other pod when the first resumes. Whichever leads the
 * relay, the consumers, and email delivery is paused at some point and finds a successor when it resumes.
 */
const pausePods = (names: readonly string[], more: Partial<Scenario> = {}): Scenario => ({
  name: `pause one pod, then the other: ${names.join(', ')}`,
  affected: names,
  async cause({ cluster }) {
    const processes = (index: number) => names.flatMap((name) => cluster.pods(name)[index]?.part ?? []);
    const [first, second] = [processes(0), processes(1)];
    for (const part of first) part.kill('SIGSTOP');
    await pause(PAUSE_MS);
    for (const part of first) part.kill('SIGCONT');
    for (const part of second) part.kill('SIGSTOP');
    return async () => {
      for (const part of second) part.kill('SIGCONT');
    };
  },
  durationMs: PAUSE_MS,
  // A store that did not respond for that long counts as unavailable until it does.
  expectedErrors: [/(Notifications are|File storage is) not available right now/],
  ...more,
});

export const processPauses: readonly Scenario[] = [
  // An email that is being handed to the mail server when the pause begins may have been accepted or not.
  pausePods(['auth', 'users', 'notifications'], {
    allowsDuplicateEmails: true,
  }),
  pausePods(['projects', 'meetings']),
  pausePods(['documents', 'chat']),
  pausePods(['gateway']),
];
