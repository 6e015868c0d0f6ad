import type { Attachment, getAttachment } from '@atrium/proto-events/http/chat-attachments';
import { call } from '../../../lib/api/api.ts';
import { createPersonStore } from '../../../lib/session/person-store.ts';

/** A link lives for at most five minutes; one that is nearly over is not begun with. */
const FRESH_MS = 4 * 60_000;
/** From so many on those that are over are let go of. */
const MANY = 500;

type Link = { url: string; at: number };

/** Links to files of messages, as answers brought them. */
const links = createPersonStore(() => new Map<string, Link>());

const isFresh = ({ at }: Link) => Date.now() - at < FRESH_MS;

type Linked = { attachments?: readonly Attachment[] | undefined };

/**
 * Keeps the links that an answer brings with its messages. Take one before asking: an answer that was on its way when its reader left
 * belongs to nobody any more.
 */
export function linkKeeper(): (messages: readonly Linked[]) => void {
  const known = links.get();
  return (messages) => {
    for (const { attachments = [] } of messages) for (const attachment of attachments) keep(known, attachment);
  };
}

function keep(known: Map<string, Link>, { _id, downloadUrl }: Attachment): void {
  if (downloadUrl !== undefined) known.set(_id, { url: downloadUrl, at: Date.now() });
  if (known.size > MANY) for (const [id, link] of known) if (!isFresh(link)) known.delete(id);
}

/** A link that is good for now: one that is known, or a new one. Undefined where the server has no store. */
export async function linkOf(id: string): Promise<string | undefined> {
  const known = links.get().get(id);
  return known && isFresh(known) ? known.url : newLinkOf(id);
}

/** A link that was made this moment. */
export async function newLinkOf(id: string): Promise<string | undefined> {
  const known = links.get();
  const attachment = await call<typeof getAttachment>('GET /chat/attachments/:id', { params: { id } });
  keep(known, attachment);
  return attachment.downloadUrl;
}
