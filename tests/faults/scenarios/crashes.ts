import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Scenario } from '../scenario.ts';

const REACHED_WITHIN_MS = 30_000;

/** One of the two pods of a service dies when it comes to that point. */
const crash = (service: string, point: CrashPoint, more: Partial<Scenario> = {}): Scenario => ({
  name: `kill ${service} ${point}`,
  affected: [service],
  async cause(world) {
    const file = join(world.crashFolder(service), point);
    writeFileSync(file, '');
    await waitFor(() => !existsSync(file), {
      what: `${service} to come to ${point}`,
      timeoutMs: REACHED_WITHIN_MS,
      everyMs: 5,
    });
    return async () => undefined;
  },
  ...more,
});

/** A process is killed at each of the worst moments. */
export const crashes: readonly Scenario[] = [
  crash('auth', 'after-commit-before-publish'),
  crash('users', 'after-commit-before-publish'),
  crash('projects', 'after-commit-before-publish'),
  crash('meetings', 'after-commit-before-publish'),
  crash('documents', 'after-upload-before-commit'),
  crash('chat', 'after-message-before-announcement'),
  crash('projects', 'in-a-chain-of-events'),
  crash('projects', 'after-publish-before-delete'),
  crash('chat', 'after-publish-before-delete'),
  crash('users', 'after-effect-before-ack'),
  crash('chat', 'after-effect-before-ack'),
  crash('notifications', 'after-effect-before-ack'),
  crash('notifications', 'after-mail-before-note', { mailsTwice: true }),
  crash('notifications', 'after-outcome-before-note'),
];
