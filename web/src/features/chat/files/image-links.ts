import type { Attachment, getAttachment } from '@atrium/proto-events/http/chat-attachments';
import type { ThumbnailErrorReason } from '@atrium/proto-events/preview';
import { call } from '../../../lib/api/api.ts';
import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';

/** A link to a picture is handed out with three minutes left at least; one that is nearly over is not begun with. */
const FRESH_MS = 2 * 60_000;
/** From so many on those that are over are let go of. */
const MANY = 500;

/** What is known of the small picture of an image: its link, that it is being made, or why there is none, where that is known. */
export type Picture =
  | { state: 'ready'; url: string }
  | { state: 'pending' }
  | { state: 'none'; reason?: ThumbnailErrorReason | undefined }
  /** Its link leads to what could not be loaded. */
  | { state: 'failed'; url: string };

/** Links to pictures of files of messages, as answers brought them. */
const links = createUserScopedStore(() => new Map<string, { url: string; at: number }>());

type Linked = { attachments?: readonly Attachment[] | undefined };

/**
 * Keeps the links that an answer brings with its messages. Take one before asking: an answer that was on its way when its reader left
 * belongs to nobody any more.
 */
export function pictureKeeper(): (messages: readonly Linked[]) => void {
  const known = links.get();
  return (messages) => {
    for (const { attachments = [] } of messages) for (const attachment of attachments) keep(known, attachment);
  };
}

function keep(known: ReturnType<typeof links.get>, { _id, thumbnail }: Attachment): void {
  const now = Date.now();
  if (thumbnail) known.set(_id, { url: thumbnail.url, at: now });
  if (known.size > MANY) for (const [id, { at }] of known) if (now - at >= FRESH_MS) known.delete(id);
}

/** The link to a picture that is known and good for now. */
export function knownPicture(id: string): string | undefined {
  const known = links.get().get(id);
  return known && Date.now() - known.at < FRESH_MS ? known.url : undefined;
}

/** What the server says of the picture at this moment. */
export async function askForPicture(id: string): Promise<Picture> {
  const known = links.get();
  const attachment = await fetchAttachment(id);
  keep(known, attachment);
  const { thumbnail, thumbnailError: reason } = attachment;
  if (thumbnail === null) return { state: 'pending' };
  return thumbnail ? { state: 'ready', url: thumbnail.url } : { state: 'none', reason };
}

/** A file of a message, with links that were made this moment. */
export function fetchAttachment(id: string): Promise<Attachment> {
  return call<typeof getAttachment>('GET /chat/attachments/:id', { params: { id } });
}
