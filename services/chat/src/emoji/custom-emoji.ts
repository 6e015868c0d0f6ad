import { inlineDisposition } from '@atrium/object-store/objects/download-link';
import { emojiChanged } from '@atrium/proto-events/events/chat';
import type { CustomEmoji } from '@atrium/proto-events/http/chat/emoji';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { deleteEmojiRow, type EmojiRow, findEmoji, listEmojiRows } from '../model/emoji-repository.ts';

export async function listEmoji(deps: Deps) {
  const rows = await listEmojiRows(deps.db);
  return { data: rows.map((row) => presentEmoji(deps, row)) };
}

export async function getEmoji(deps: Deps, id: string): Promise<CustomEmoji> {
  const row = await findEmoji(deps.db, id);
  if (!row) throw notFound('Emoji');
  return presentEmoji(deps, row);
}

export async function deleteEmoji(deps: Deps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await deleteEmojiRow(tx, id);
    if (!row) throw notFound('Emoji');
    await appendEmojiEvent(tx, caller, { id, action: 'deleted' });
  });
  // A trigger has released its image.
  deps.files.remover.wake();
}

type EmojiChange = { id: string; action: 'created' | 'deleted' };

export const appendEmojiEvent = (tx: Queryable, { userId }: Caller, { id, action }: EmojiChange) =>
  appendEvent(tx, { event: emojiChanged, data: { emojiId: id, action }, aggregate: id, actorId: userId });

export function presentEmoji({ directory, files: { store } }: Deps, row: EmojiRow): CustomEmoji {
  const url = store.link({
    objectKey: row.object_key,
    contentType: row.mimetype,
    disposition: inlineDisposition(row.name, row.mimetype.replace('image/', '')),
    isCacheable: true,
  });
  return {
    _id: row.emoji_id,
    name: row.name,
    ...(url !== undefined && { url }),
    createdBy: directory.summary(row.uploader_id),
    createdAt: row.created_at.toISOString(),
  };
}
