import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { invite } from '@atrium/proto-events/http/invitations';
import { useEffect, useRef, useState } from 'react';
import { call } from '#lib/api/api.ts';
import { ApiError, isFinal, messageOf } from '#lib/api/api-error.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import type { InviteBody } from './check-rows.ts';
import type { RowFailure } from './invite-row.ts';

export type SentInvitation = ResponseOf<typeof invite>;
export type Outgoing = { id: string; body: InviteBody; key: string };
type Progress = { done: number; total: number };

type Listener = {
  onInvited: (id: string, invitation: SentInvitation) => void;
  onFailed: (id: string, failure: RowFailure) => void;
};

const CONCURRENCY = 4;
const FAILURE = 'Failed to send invitation';

/**
 * Stores a failure that concerns one person in that row. A failure that concerns everyone, such as no network or an
 * ended session, stops the remaining requests and is returned.
 */
export function useSendInvitations({ onInvited, onFailed }: Listener) {
  const [progress, setProgress] = useState<Progress>();
  const isUnmounted = useRef(false);
  const refetch = useRefetch();
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  const send = async (list: readonly Outgoing[]): Promise<{ sentCount: number; stoppedBy: unknown }> => {
    const queue = [...list];
    let sentCount = 0;
    let stoppedBy: unknown;
    const sendNext = async (): Promise<void> => {
      const next = isUnmounted.current || stoppedBy !== undefined ? undefined : queue.shift();
      if (!next) return;
      try {
        const { id, body, key } = next;
        onInvited(id, await call<typeof invite>('POST /auth/invite', { body }, idempotencyOptions(key)));
        sentCount += 1;
      } catch (error) {
        if (isRowFailure(error)) onFailed(next.id, { message: messageOf(error, FAILURE), isFinal: true });
        else stoppedBy = error;
      }
      setProgress((current) => current && { ...current, done: current.done + 1 });
      return sendNext();
    };
    setProgress({ done: 0, total: list.length });
    await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
    setProgress(undefined);
    refetch('/users', '/departments', '/auth/invites');
    return { sentCount, stoppedBy };
  };
  return { send, progress };
}

const isRowFailure = (error: unknown): boolean =>
  isFinal(error) && error instanceof ApiError && error.status !== 401 && error.status !== 403;
