import type { Attachment, getAttachment } from '@atrium/proto-events/http/chat-attachments';
import type { ThumbnailErrorReason } from '@atrium/proto-events/http/previews';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** Links are issued with at least three minutes left; nearly expired ones are not used. */
const LINK_VALIDITY_MS = 2 * 60_000;
const EVICTION_THRESHOLD = 500;

export type ThumbnailState =
  | { state: 'ready'; url: string }
  | { state: 'pending' }
  | { state: 'none'; reason?: ThumbnailErrorReason | undefined }
  | { state: 'failed'; url: string };

/** By attachment id. */
const links = createUserScopedStore(() => new Map<string, { url: string; at: number }>());

type Linked = { attachments?: readonly Attachment[] | undefined };

/** Call this before the request: a response that arrives after a sign-out must be discarded. */
export function createLinkRecorder(): (messages: readonly Linked[]) => void {
  const known = links.get();
  return (messages) => {
    for (const { attachments = [] } of messages) for (const attachment of attachments) keep(known, attachment);
  };
}

function keep(known: ReturnType<typeof links.get>, { _id, thumbnail }: Attachment): void {
  const now = Date.now();
  if (thumbnail) known.set(_id, { url: thumbnail.url, at: now });
  if (known.size > EVICTION_THRESHOLD)
    for (const [id, { at }] of known) if (now - at >= LINK_VALIDITY_MS) known.delete(id);
}

export function getCachedLink(id: string): string | undefined {
  const known = links.get().get(id);
  return known && Date.now() - known.at < LINK_VALIDITY_MS ? known.url : undefined;
}

export async function fetchThumbnailState(id: string): Promise<ThumbnailState> {
  const known = links.get();
  const attachment = await fetchAttachment(id);
  keep(known, attachment);
  const { thumbnail, thumbnailError: reason } = attachment;
  if (thumbnail === null) return { state: 'pending' };
  return thumbnail ? { state: 'ready', url: thumbnail.url } : { state: 'none', reason };
}

export function fetchAttachment(id: string): Promise<Attachment> {
  return call<typeof getAttachment>('GET /chat/attachments/:id', { params: { id } });
}
