import type { Attachment } from '@atrium/proto-events/http/chat/attachments';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { isolate } from '@atrium/proto-events/text/isolate';
import { stripMarkup } from '../message/strip-markup.ts';
import { clockOf, parseVoiceNoteName } from '../message/voice-note.ts';
import { countPeople } from '../user/user-labels.ts';
import { labelsOf, mentionLabel, splitMentions } from './mention-labels.ts';

export function conversationPreview(conversation: Conversation): string {
  const { lastMessage, type, participantCount } = conversation;
  if (lastMessage) return messageLine(lastMessage);
  return countPeople(participantCount, type === 'direct' ? 'participant' : 'member');
}

export function messageLine(message: Message): string {
  if (message.deleted) return 'Message deleted';
  if (message.type === 'poll') return `Poll: ${isolate(messageText(message))}`;
  return messageText(message) || forwardedLine(message.forwarded) || attachmentsLine(message.attachments);
}

const forwardedLine = (forwarded: Message['forwarded']): string =>
  forwarded?.content ? `Forwarded: ${isolate(messageText(forwarded))}` : '';

type MessageTextParams = Pick<Message, 'content' | 'mentions'>;

/** The start of a message in one line, without markup, and with the names of mentions. */
export const messageText = (message: MessageTextParams): string =>
  stripMarkup(withNames(message)).replace(/\s+/g, ' ').trim();

function withNames({ content, mentions }: MessageTextParams): string {
  const labels = labelsOf(mentions);
  const texts = splitMentions(content).map(({ text, mention }) =>
    mention ? isolate(mentionLabel(mention, labels)) : text,
  );
  return texts.join('');
}

export function typingLine(names: readonly string[]): string {
  const [first, second] = names;
  if (first === undefined) return '';
  if (second === undefined) return `${first} is typing…`;
  return names.length === 2 ? `${first} and ${second} are typing…` : 'Several people are typing…';
}

type Named = Pick<Attachment, 'name' | 'mimetype'>;

export function attachmentsLine(attachments: readonly Named[] = []): string {
  const [first] = attachments;
  if (!first) return '';
  const seconds = parseVoiceNoteName(first.name);
  if (attachments.length === 1 && seconds !== undefined) return `Voice note, ${clockOf(seconds)}`;
  const areImages = attachments.every(({ mimetype }) => mimetype.startsWith('image/'));
  if (attachments.length > 1) return `${attachments.length} ${areImages ? 'photos' : 'files'}`;
  return areImages ? 'Photo' : `File: ${isolate(first.name)}`;
}
