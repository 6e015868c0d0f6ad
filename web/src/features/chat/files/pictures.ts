import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Size } from './image-rows.ts';

/** What every browser shows as a picture; the server measures the same. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

export const isShown = (mimetype: string): boolean => SHOWN.has(mimetype);

/** An image of which it is known how large it is. */
export type Picture = Attachment & Size;

export const isPicture = <File extends Attachment>(file: File): file is File & Size =>
  isShown(file.mimetype) && file.width !== undefined && file.height !== undefined && !file.fileLost;

/** The images of messages, in their order. */
export const picturesOf = (messages: readonly Message[]): Picture[] =>
  messages.flatMap(({ deleted, attachments = [] }) => (deleted ? [] : attachments.filter(isPicture)));
