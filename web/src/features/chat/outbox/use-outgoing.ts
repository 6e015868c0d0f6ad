import { useMemo, useSyncExternalStore } from 'react';
import type { Upload } from '#lib/uploads/upload-queue.ts';
import { type Outgoing, outbox } from './outbox.ts';

/** A pending message, shown at the end of the log until the server's copy replaces it. */
export type Pending = { clientMessageId: string; content: string; createdAt: string };

const of = (conversation: string) => outbox.current().filter(({ item }) => item.conversation === conversation);

/** Pending and failed messages of a conversation; each row reads its own progress. */
export function useOutgoing(conversation: string): readonly Pending[] {
  const ids = useSyncExternalStore(outbox.subscribe, () =>
    of(conversation)
      .map(({ item }) => item.clientMessageId)
      .join(),
  );
  return useMemo(
    () =>
      of(conversation)
        .map(({ item: { clientMessageId, content, createdAt } }) => ({ clientMessageId, content, createdAt }))
        .filter(({ clientMessageId }) => ids.includes(clientMessageId)),
    [conversation, ids],
  );
}

/** The state of one upload; undefined once it arrived or was removed. */
export function useUpload(clientMessageId: string): Upload<Outgoing> | undefined {
  return useSyncExternalStore(outbox.subscribe, () =>
    outbox.current().find(({ item }) => item.clientMessageId === clientMessageId),
  );
}
