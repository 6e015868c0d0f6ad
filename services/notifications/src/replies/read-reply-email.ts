import type { Directory } from '@atrium/service-kit/directory/directory';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import PostalMime, { type Email } from 'postal-mime';
import { findCodes, type Replies, type SignedTarget, verifyCode } from '../email/reply-address.ts';
import { isAutomatic } from './automatic-email.ts';
import { htmlToText } from './html-to-text.ts';
import { type IdentifiedRsvp, isCalendar, readRsvps } from './read-rsvps.ts';
import { extractReplyText } from './reply-text.ts';
import { unwrapLines } from './unwrap-lines.ts';

export type ReplyReaderOptions = Replies & {
  directory: Pick<Directory, 'user' | 'users'>;
  /** From which Atrium sends emails. */
  senderAddress: string;
};

export type TextReply = {
  /** Does not depend on the reader. */
  id: string;
  /** A calendar only if it is not an RSVP. */
  target: SignedTarget;
  /** What the user wrote; empty if only a quote was found. */
  text: string;
  /** Attached files, and images that were pasted into the text. */
  hasAttachments: boolean;
};

export type ReceivedReplies = { rsvps: IdentifiedRsvp[]; replies: TextReply[] };

const NONE: ReceivedReplies = { rsvps: [], replies: [] };

const RECIPIENT_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to']);
/** Emails contain one code. Crafted ones may contain thousands, and each costs a search for its user. */
const MAX_CODES = 10;
/**
 * The longest comments and messages have 10,000 characters. What users write is at the beginning of most emails. As
 * JSON, where a character has up to six bytes, it fits in an event.
 */
const MAX_READ_CHARS = 100_000;

/**
 * Extracts what an email adds to the items of its reply addresses. The sender address is not trusted: a reply counts if
 * it was sent to the address that only one email to its user contains.
 */
export async function readReplyEmail(source: Uint8Array, options: ReplyReaderOptions): Promise<ReceivedReplies> {
  // Unreadable emails are skipped, so that they do not block later ones.
  const email = await PostalMime.parse(source, { forceRfc822Attachments: true }).catch(() => undefined);
  if (!email) return NONE;
  const recipients = email.headers.filter(({ key }) => RECIPIENT_HEADERS.has(key)).map(({ value }) => value);
  const targets = findCodes(options.address, recipients.join('\n'))
    .slice(0, MAX_CODES)
    .flatMap((code) => verifyCode(code, options) ?? []);
  return {
    rsvps: readRsvps(email, targets, options.directory),
    replies: readTextReplies(email, targets, options.senderAddress),
  };
}

function readTextReplies(email: Email, targets: readonly SignedTarget[], senderAddress: string): TextReply[] {
  const isRsvp = email.attachments.some(isCalendar);
  const textTargets = targets.filter(({ kind }) => kind !== 'calendar' || !isRsvp);
  // An auto-reply must not be answered, and notifies others if it is posted, whose auto-replies would follow.
  if (textTargets.length === 0 || isAutomatic(email.headers)) return [];
  const text = readText(email, senderAddress);
  const hasAttachments = email.attachments.some(isUserFile);
  return textTargets.map((target) => ({
    id: deterministicId(JSON.stringify([target, email.messageId ?? email.date ?? null, text])),
    target,
    text,
    hasAttachments,
  }));
}

function readText({ text = '', html = '' }: Email, senderAddress: string): string {
  if (text.trim() === '') return extractReplyText(htmlToText(html.slice(0, MAX_READ_CHARS)), senderAddress);
  return unwrapLines(extractReplyText(text.slice(0, MAX_READ_CHARS), senderAddress));
}

const TECHNICAL_TYPE = /^(?:text\/(?:calendar|(?:x-)?vcard)|application\/(?:ics|pgp-.*|(?:x-)?pkcs7-.*))$/;

/** Images within the text are those of signatures, which are small, or pasted ones. */
const MAX_SIGNATURE_IMAGE_BYTES = 20_000;

const isUserFile = ({ mimeType, related, content }: Email['attachments'][number]) =>
  !TECHNICAL_TYPE.test(mimeType) && (!related || getSize(content) > MAX_SIGNATURE_IMAGE_BYTES);

const getSize = (content: Email['attachments'][number]['content']) =>
  typeof content === 'string' ? content.length : content.byteLength;
