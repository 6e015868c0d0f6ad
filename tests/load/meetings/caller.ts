import type { DirectoryUser } from '@atrium/proto-events/people';
import type { LoadEnvironment } from '../load-environment.ts';

/** One user's calls of the meetings service. Throws if a call fails. */
// biome-ignore lint/suspicious/noExplicitAny: a bench reads a field or two of responses whose contracts other tests check
export type Call = (method: string, path: string, body?: object) => Promise<any>;

export async function createCaller(environment: LoadEnvironment, url: string, person: DirectoryUser): Promise<Call> {
  const token = await environment.tokenFor(person);
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

/** That many days from now, on the hour. */
export const after = (days: number) => new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * DAY_MS);

const later = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString();

export const buildMeeting = (start: Date, given: object) => ({
  title: 'Talk',
  type: 'other',
  startTime: start.toISOString(),
  endTime: later(start, 3_600_000),
  meetingLink: 'https://meet.example.org/bench',
  ...given,
});

/** Creates meetings of ten users, moves them, and responds to them until it is stopped, each writer some twenty times per second. */
export function startBackgroundWrites(
  organizer: Call,
  guest: Call,
  { writers, people }: { writers: number; people: string[] },
) {
  let isStopped = false;
  let writes = 0;
  const write = async (writer: number) => {
    for (let turn = 0; !isStopped; turn += 1) {
      const start = after(1 + ((turn * 7 + writer * 31) % 150));
      const chosen = Array.from({ length: 8 }, (_, index) => people[(writer * 97 + turn * 11 + index) % people.length]);
      const { _id } = await organizer('POST', '', buildMeeting(start, { participants: [people[0], ...chosen] }));
      await pause();
      await organizer('PATCH', `/${_id}`, { startTime: later(start, 1_800_000), endTime: later(start, 5_400_000) });
      await pause();
      await guest('POST', `/${_id}/respond`, { status: 'accepted' });
      await pause();
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

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
