import type { DirectoryUser } from '@atrium/proto-events/people';
import type { LoadEnvironment } from '../load-environment.ts';

/** Calls the meetings service as one user. Throws if the call fails. */
// biome-ignore lint/suspicious/noExplicitAny: a bench reads a field or two of responses whose contracts other tests check
export type Call = (method: string, path: string, body?: object) => Promise<any>;

export async function createCaller(environment: LoadEnvironment, url: string, user: DirectoryUser): Promise<Call> {
  const token = await environment.tokenFor(user);
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/meetings${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 300)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

const DAY_MS = 86_400_000;

/** Returns the time a number of days from now, on the hour. */
export const after = (days: number) => new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * DAY_MS);

const isoPlus = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString();

export const buildMeeting = (start: Date, overrides: object) => ({
  title: 'Talk',
  type: 'other',
  startTime: start.toISOString(),
  endTime: isoPlus(start, 3_600_000),
  meetingLink: 'https://meet.example.org/bench',
  ...overrides,
});

/** Creates, moves, and responds to meetings of ten users until stopped; each writer about twenty times per second. */
export function startBackgroundWrites(
  organizer: Call,
  guest: Call,
  { writers, users }: { writers: number; users: string[] },
) {
  let isStopped = false;
  let writes = 0;
  const write = async (writer: number) => {
    for (let turn = 0; !isStopped; turn += 1) {
      const start = after(1 + ((turn * 7 + writer * 31) % 150));
      const guests = Array.from({ length: 8 }, (_, index) => users[(writer * 97 + turn * 11 + index) % users.length]);
      const { _id } = await organizer('POST', '', buildMeeting(start, { participants: [users[0], ...guests] }));
      await waitBriefly();
      await organizer('PATCH', `/${_id}`, { startTime: isoPlus(start, 1_800_000), endTime: isoPlus(start, 5_400_000) });
      await waitBriefly();
      await guest('POST', `/${_id}/respond`, { status: 'accepted' });
      await waitBriefly();
      writes += 3;
    }
  };
  const startedAt = performance.now();
  const work = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return {
    /** Resolves with the number of writes per second. */
    async stop(): Promise<number> {
      isStopped = true;
      await work;
      return (writes * 1_000) / (performance.now() - startedAt);
    },
  };
}

const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 50));
