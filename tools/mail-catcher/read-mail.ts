import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';

export interface StoredMail {
  id: string;
  receivedAt: string;
  recipients: string[];
  raw: string;
}

export interface Mail {
  id: string;
  receivedAt: string;
  /** The Message-ID header, which mail clients use to detect duplicates; null if absent. */
  messageId: string | null;
  recipients: string[];
  from: string;
  subject: string;
  text: string;
  html: string | null;
  calendar: { method: string | null; content: string } | null;
  attachments: { name: string; type: string; size: number }[];
}

const formatAddress = (address: Address | undefined): string => {
  if (!address) return '';
  return address.name && address.address ? `${address.name} <${address.address}>` : (address.address ?? address.name);
};

const toBuffer = ({ content }: Attachment): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content);

const findCalendar = ({ attachments }: Email): Mail['calendar'] => {
  const part = attachments.find(({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics');
  return part ? { method: part.method ?? null, content: toBuffer(part).toString('utf8') } : null;
};

export const readMail = async ({ id, receivedAt, recipients, raw }: StoredMail): Promise<Mail> => {
  const email = await PostalMime.parse(Buffer.from(raw, 'base64'));
  return {
    id,
    receivedAt,
    messageId: email.messageId ?? null,
    recipients,
    from: formatAddress(email.from),
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? null,
    calendar: findCalendar(email),
    attachments: email.attachments.map((part) => ({
      name: part.filename ?? 'attachment',
      type: part.mimeType,
      size: toBuffer(part).length,
    })),
  };
};
