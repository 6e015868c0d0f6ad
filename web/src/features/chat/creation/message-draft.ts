import type { Message } from '@atrium/proto-events/http/chat/messages';
import { labelsOf, mentionLabel, splitMentions } from '#entities/conversation/mention-labels.ts';
import { messagePath } from '#entities/message/message-path.ts';
import { stripMarkup } from '#entities/message/strip-markup.ts';
import { cutDescription, splitTitle } from '#entities/task/split-title.ts';

/** The texts of a task or a meeting that is created from a message. */
type MessageDraft = { id: string; title: string; description: string };

/** The title is the first line, without Markdown; the description is the rest, and a link to the message. */
export function toDraft(message: Message, origin: string = location.origin): MessageDraft {
  const { _id: id, conversation, seq, thread } = message;
  const root = thread?.root === id ? null : thread?.root;
  const link = origin + messagePath({ conversation, seq, root });
  const [firstLine = '', ...otherLines] = withNames(message).trim().split('\n');
  const line = withoutMarkup(firstLine) || message.attachments[0]?.name || '';
  const { title } = splitTitle(line);
  const rest = (title === line ? otherLines : [firstLine, ...otherLines]).join('\n').trim();
  const text = cutDescription(rest, link.length + 2);
  return { id, title, description: text === '' ? link : `${text}\n\n${link}` };
}

function withNames({ content, mentions }: Message): string {
  const labels = labelsOf(mentions);
  return splitMentions(content)
    .map(({ text, mention }) => (mention ? mentionLabel(mention, labels) : text))
    .join('');
}

/** Of an item of a numbered list, or of a list of tasks. */
const ITEM_MARKUP = /^(?:\d{1,9}[.)]\s+|\[[ xX]\]\s+)/u;

const withoutMarkup = (line: string): string =>
  stripMarkup(line).trim().replace(ITEM_MARKUP, '').replace(/\s+/gu, ' ').trim();
