import { emailsUnsubscribed } from '@atrium/proto-events/events/notifications';
import {
  INVALID_UNSUBSCRIBE_LINK,
  unsubscribe as unsubscribeContract,
} from '@atrium/proto-events/http/notices/unsubscribe';
import type { NoticeKind } from '@atrium/proto-events/notices/kinds';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { handle } from '@atrium/service-kit/http/handle';
import { type Messaging, publishWithoutOutbox } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import { verifyUnsubscribeToken } from './unsubscribe-token.ts';

type UnsubscribeDeps = { messaging: Promise<Messaging>; keys: readonly Uint8Array[] };

/** The users service, which owns the settings, applies the event; mail programs repeat requests that fail. */
async function unsubscribe({ messaging, keys }: UnsubscribeDeps, token: string): Promise<{ kinds: NoticeKind[] }> {
  const target = verifyUnsubscribeToken(token, keys);
  if (!target) throw new AppError('invalid_token', INVALID_UNSUBSCRIBE_LINK);
  const { userId } = target;
  const kinds = [...target.kinds];
  // Each request is an event: a user can turn emails on again, and then follow an old link.
  const row = outboxRow({
    event: emailsUnsubscribed,
    data: { userId, kinds },
    aggregate: userId,
    actorId: userId,
    id: newId(),
  });
  await publishWithoutOutbox(await messaging, 'notifications', row).catch((cause: unknown) => {
    throw new AppError('unavailable', 'Emails cannot be turned off right now', { cause });
  });
  return { kinds };
}

export const unsubscribeRoutes = (deps: UnsubscribeDeps) => [
  handle(unsubscribeContract, ({ params }) => unsubscribe(deps, params.token)),
];
