import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { subjectOf } from '@atrium/proto-events/event';
import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { waitFor } from '@atrium/test-kit/wait-for';
import { type CreatedResource, uniqueText } from '../../simulation/jobs.ts';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const CRASH_TIMEOUT_MS = 30_000;

type Options = Partial<Scenario> & {
  /** Brings a pod to a crash point that ordinary work seldom reaches. */
  provoke?: (chaos: ChaosEnvironment, isReached: () => boolean) => Promise<void>;
};

/** Kills one of the two pods of a service when it reaches the crash point. */
const crash = (service: string, point: CrashPoint, { provoke, ...overrides }: Options = {}): Scenario => ({
  name: `kill ${service} ${point}`,
  affected: [service],
  async cause(chaos) {
    const file = join(chaos.crashPointsDir(service), point);
    const isReached = () => !existsSync(file);
    writeFileSync(file, '');
    try {
      const reached = waitFor(isReached, {
        description: `${service} to reach ${point}`,
        timeoutMs: CRASH_TIMEOUT_MS,
        intervalMs: 5,
      });
      await Promise.all([reached, provoke?.(chaos, isReached)]);
    } finally {
      rmSync(file, { force: true });
    }
    return async () => undefined;
  },
  ...overrides,
});

const MAX_BATCHES = 20;

/** Adds comments to one task concurrently until the relay publishes a batch; an idle relay publishes one at a time. */
async function commentConcurrently({ work, writes }: ChaosEnvironment, isReached: () => boolean): Promise<void> {
  const [worker] = work.fixture.workers;
  if (!worker) throw new Error('No simulated users');
  const body = { title: uniqueText('Task'), project: work.fixture.project, assignedTo: worker.id };
  const task = await worker.write<CreatedResource>('POST', '/tasks', body);
  if (!task) return;
  const addComment = async () => {
    const comment = uniqueText('Comment');
    const created = await worker.write<CreatedResource>('POST', `/tasks/${task._id}/comments`, { comment });
    const path = `/tasks/${task._id}#${created?._id}`;
    if (created) writes.acknowledge({ kind: 'comment', path, who: worker.first, fields: { comment } });
  };
  for (let batch = 0; batch < MAX_BATCHES && !isReached(); batch += 1)
    await Promise.all(Array.from({ length: 30 }, addComment));
}

async function publishInvalidEvent({ stores }: ChaosEnvironment): Promise<void> {
  await stores.jetstream.publish(stores.subject(subjectOf(meetingScheduled)), '{"nonsense":true}');
}

/** Each scenario kills a process at a critical point. */
export const crashes: readonly Scenario[] = [
  crash('auth', 'after-commit-before-response'),
  crash('projects', 'after-commit-before-response'),
  crash('auth', 'after-commit-before-publish'),
  crash('users', 'after-commit-before-publish'),
  crash('projects', 'after-commit-before-publish'),
  crash('meetings', 'after-commit-before-publish'),
  crash('documents', 'after-upload-before-commit'),
  crash('documents', 'after-reading-before-note'),
  crash('chat', 'after-message-before-announcement'),
  crash('projects', 'in-a-chain-of-events', { provoke: commentConcurrently }),
  crash('projects', 'after-publish-before-delete'),
  crash('chat', 'after-publish-before-delete'),
  crash('users', 'after-effect-before-ack'),
  crash('chat', 'after-effect-before-ack'),
  crash('notifications', 'after-effect-before-ack'),
  crash('notifications', 'after-mail-before-note', { allowsDuplicateEmails: true }),
  crash('notifications', 'after-outcome-before-note'),
  crash('notifications', 'after-dead-letter-before-term', {
    provoke: publishInvalidEvent,
    // The live-update consumers cannot parse it either.
    deadLetters: 2,
    expectedErrors: [/Event dead-lettered/],
  }),
];
