import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { subjectOf } from '@atrium/proto-events/event';
import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { waitFor } from '@atrium/test-kit/wait-for';
import { type Made, wordsOnce } from '../../simulation/jobs.ts';
import type { World } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const REACHED_WITHIN_MS = 30_000;

type Options = Partial<Scenario> & {
  /** Brings a pod to that point, where work as usual seldom does. */
  provoke?: (world: World, isReached: () => boolean) => Promise<void>;
};

/** One of the two pods of a service dies when it comes to that point. */
const crash = (service: string, point: CrashPoint, { provoke, ...more }: Options = {}): Scenario => ({
  name: `kill ${service} ${point}`,
  affected: [service],
  async cause(world) {
    const file = join(world.crashFolder(service), point);
    const isReached = () => !existsSync(file);
    writeFileSync(file, '');
    try {
      const reached = waitFor(isReached, {
        what: `${service} to come to ${point}`,
        timeoutMs: REACHED_WITHIN_MS,
        everyMs: 5,
      });
      await Promise.all([reached, provoke?.(world, isReached)]);
    } finally {
      rmSync(file, { force: true });
    }
    return async () => undefined;
  },
  ...more,
});

const MOST_TALKS = 20;

/** So much about one task at a time, and again, until some of it is published together: a relay with nothing else to do takes one by one. */
async function talkAtOnce({ work, ledger }: World, isReached: () => boolean): Promise<void> {
  const [worker] = work.site.workers;
  if (!worker) throw new Error('nobody is at work');
  const about = { title: wordsOnce('Task'), project: work.site.project, assignedTo: worker.id };
  const task = await worker.write<Made>('POST', '/tasks', about);
  if (!task) return;
  const say = async () => {
    const comment = wordsOnce('Comment');
    const made = await worker.write<Made>('POST', `/tasks/${task._id}/comments`, { comment });
    const path = `/tasks/${task._id}#${made?._id}`;
    if (made) ledger.acknowledge({ kind: 'comment', path, who: worker.first, fields: { comment } });
  };
  for (let talk = 0; talk < MOST_TALKS && !isReached(); talk += 1) await Promise.all(Array.from({ length: 30 }, say));
}

/** An event of meetings that nobody can read. */
async function tellNonsense({ stores }: World): Promise<void> {
  await stores.jetstream.publish(stores.subject(subjectOf(meetingScheduled)), '{"nonsense":true}');
}

/** A process is killed at each of the worst moments. */
export const crashes: readonly Scenario[] = [
  crash('auth', 'after-commit-before-answer'),
  crash('projects', 'after-commit-before-answer'),
  crash('auth', 'after-commit-before-publish'),
  crash('users', 'after-commit-before-publish'),
  crash('projects', 'after-commit-before-publish'),
  crash('meetings', 'after-commit-before-publish'),
  crash('documents', 'after-upload-before-commit'),
  crash('documents', 'after-reading-before-note'),
  crash('chat', 'after-message-before-announcement'),
  crash('projects', 'in-a-chain-of-events', { provoke: talkAtOnce }),
  crash('projects', 'after-publish-before-delete'),
  crash('chat', 'after-publish-before-delete'),
  crash('users', 'after-effect-before-ack'),
  crash('chat', 'after-effect-before-ack'),
  crash('notifications', 'after-effect-before-ack'),
  crash('notifications', 'after-mail-before-note', { mailsTwice: true }),
  crash('notifications', 'after-outcome-before-note'),
  crash('notifications', 'after-dead-letter-before-term', {
    provoke: tellNonsense,
    // Those who tell browsers cannot read it either.
    deadLetters: 2,
    provokes: [/an event went to the dead letters/],
  }),
];
