import type { Attachment, getAttachment } from '@atrium/proto-events/http/chat/attachments';
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

type WithAttachments = { attachments?: readonly Attachment[] | undefined };

/** Call this before the request: a response that arrives after a sign-out must be discarded. */
export function createLinkRecorder(): (messages: readonly WithAttachments[]) => void {
  const cache = links.get();
  return (messages) => {
    for (const { attachments = [] } of messages) for (const attachment of attachments) cacheLink(cache, attachment);
  };
}

function cacheLink(cache: ReturnType<typeof links.get>, { _id, thumbnail }: Attachment): void {
  const now = Date.now();
  if (thumbnail) cache.set(_id, { url: thumbnail.url, at: now });
  if (cache.size > EVICTION_THRESHOLD)
    for (const [id, { at }] of cache) if (now - at >= LINK_VALIDITY_MS) cache.delete(id);
}

export function getCachedLink(id: string): string | undefined {
  const cached = links.get().get(id);
  return cached && Date.now() - cached.at < LINK_VALIDITY_MS ? cached.url : undefined;
}

export async function fetchThumbnailState(id: string): Promise<ThumbnailState> {
  const cache = links.get();
  const attachment = await fetchAttachment(id);
  cacheLink(cache, attachment);
  const { thumbnail, thumbnailError: reason } = attachment;
  if (thumbnail === null) return { state: 'pending' };
  return thumbnail ? { state: 'ready', url: thumbnail.url } : { state: 'none', reason };
}

export function fetchAttachment(id: string): Promise<Attachment> {
  return call<typeof getAttachment>('GET /chat/attachments/:id', { params: { id } });
}
