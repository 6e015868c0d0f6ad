import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';

const PAUSE_MS = 30_000;

/**
 * Pauses one pod of each service, as when a machine is suspended, and pauses the other pod when the first one resumes.
 * The pod that leads the relay, the consumers, and email delivery is thus paused at some point and finds a successor
 * when it resumes.
 */
const pausePods = (names: readonly string[], overrides: Partial<Scenario> = {}): Scenario => ({
  name: `pause one pod, then the other: ${names.join(', ')}`,
  affected: names,
  async cause({ cluster }) {
    const processes = (index: number) => names.flatMap((name) => cluster.pods(name)[index]?.process ?? []);
    const first = processes(0);
    const second = processes(1);
    for (const pausedProcess of first) pausedProcess.kill('SIGSTOP');
    await delay(PAUSE_MS);
    for (const pausedProcess of first) pausedProcess.kill('SIGCONT');
    for (const pausedProcess of second) pausedProcess.kill('SIGSTOP');
    return async () => {
      for (const pausedProcess of second) pausedProcess.kill('SIGCONT');
    };
  },
  durationMs: PAUSE_MS,
  // A store that did not respond for that long counts as unavailable until it does.
  expectedErrors: [/(Notifications are|File storage is) not available right now/],
  ...overrides,
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
