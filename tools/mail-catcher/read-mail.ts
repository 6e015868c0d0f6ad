import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';

/** A mail as it lies on disk. */
export interface StoredMail {
  id: string;
  receivedAt: string;
  recipients: string[];
  /** The mail as it came, in base64. */
  raw: string;
}

export interface Mail {
  id: string;
  receivedAt: string;
  /** Its Message-ID as it stands in the mail, by which a mail program knows a mail that came twice; null where it has none. */
  messageId: string | null;
  /** Whom the envelope named, in lower case. */
  recipients: string[];
  from: string;
  subject: string;
  text: string;
  html: string | null;
  /** The iCalendar part, if there is one, and what it asks for (REQUEST, CANCEL). */
  calendar: { method: string | null; content: string } | null;
  attachments: { name: string; type: string; size: number }[];
}

const inWords = (address: Address | undefined): string => {
  if (!address) return '';
  return address.name && address.address ? `${address.name} <${address.address}>` : (address.address ?? address.name);
};

const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content);

const calendarOf = ({ attachments }: Email): Mail['calendar'] => {
  const part = attachments.find(({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics');
  return part ? { method: part.method ?? null, content: bytesOf(part).toString('utf8') } : null;
};

export const readMail = async ({ id, receivedAt, recipients, raw }: StoredMail): Promise<Mail> => {
  const email = await PostalMime.parse(Buffer.from(raw, 'base64'));
  return {
    id,
    receivedAt,
    messageId: email.messageId ?? null,
    recipients,
    from: inWords(email.from),
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? null,
    calendar: calendarOf(email),
    attachments: email.attachments.map((part) => ({
      name: part.filename ?? 'attachment',
      type: part.mimeType,
      size: bytesOf(part).length,
    })),
  };
};
