// Browsers import this module, so it has no schemas.

export type MentionedGroup = { type: 'department' | 'project'; id: string };

/**
 * The mentions of a message. `here` are the participants who are online, `everyone` all of them, and `groups` those who
 * are in a department or project.
 */
export type Mentions = { users: string[]; here: boolean; everyone: boolean; groups: MentionedGroup[] };

export type MentionToken = { at: number; text: string } & (
  | { kind: 'user' | 'conversation' | MentionedGroup['type']; id: string }
  | { kind: 'here' | 'everyone' }
);

/**
 * A mention is a token in the content of a message, such as `<@0123456789abcdef01234567>`, `<@everyone>`, or
 * `<@department:0123456789abcdef01234567>`.
 */
const TOKEN = /<(?:@(here|everyone)|(@|#|@department:|@project:)([0-9a-f]{24}))>/g;

const KINDS = { '@': 'user', '#': 'conversation', '@department:': 'department', '@project:': 'project' } as const;

export const mentionOf = (user: string): string => `<@${user}>`;
export const mentionOfGroup = ({ type, id }: MentionedGroup): string => `<@${type}:${id}>`;
export const mentionOfConversation = (conversation: string): string => `<#${conversation}>`;
export const MENTION_HERE = '<@here>';
export const MENTION_EVERYONE = '<@everyone>';

/** Maximum number of users that one message mentions; further ones are shown, but not notified. */
export const MAX_MENTIONED_USERS = 100;
/** The same for departments and projects. */
export const MAX_MENTIONED_GROUPS = 10;

/**
 * Where code may begin: a line that opens a fence, with any indentation, or backticks. The info string after backticks
 * contains none, and a character after a backslash opens nothing.
 */
const CODE_START = /^[ \t]*(`{3,}(?=[^`\n]*$)|~{3,}(?!~))[^\n]*$|\\[!-/:-@[-`{-~]|`+/gm;
/** Where a paragraph ends, and with it code in a line: before a blank line or a fence. */
const PARAGRAPH_END = /\n(?=[ \t\r]*(?:$|`{3,}[^`\n]*$|~~~))/gm;

type Span = { start: number; end: number };

/**
 * Finds fenced code, and code in a line. A fence without an end lasts until the end of the text (CommonMark 0.31, 4.5).
 * Takes linear time.
 */
function findCode(content: string): Span[] {
  const spans: Span[] = [];
  const findClosing = createClosingFinder(content);
  const findParagraphEnd = createParagraphEndFinder(content);
  const pattern = new RegExp(CODE_START);
  for (let opening = pattern.exec(content); opening; opening = pattern.exec(content)) {
    const { 0: text, 1: fence, index: start } = opening;
    if (text.startsWith('\\')) continue;
    const from = pattern.lastIndex;
    const end = fence === undefined ? findClosing(from, text.length) : endOfFence(content, fence, from);
    if (end === undefined || (fence === undefined && end > findParagraphEnd(from))) continue;
    spans.push({ start, end });
    pattern.lastIndex = end;
  }
  return spans;
}

/** A line that may end fenced code: at least as many of the same characters, and nothing else. */
const FENCE_END = /^[ \t]*(`{3,}|~{3,})[ \t\r]*$/gm;

function endOfFence(content: string, fence: string, from: number): number {
  const pattern = new RegExp(FENCE_END);
  pattern.lastIndex = from;
  for (let match = pattern.exec(content); match; match = pattern.exec(content))
    if (match[1]?.startsWith(fence)) return match.index + match[0].length;
  return content.length;
}

/** Returns what finds the end of the paragraph at increasing positions. */
function createParagraphEndFinder(content: string): (from: number) => number {
  const pattern = new RegExp(PARAGRAPH_END);
  let end = -1;
  return (from) => {
    if (end >= from) return end;
    pattern.lastIndex = from;
    end = pattern.exec(content)?.index ?? content.length;
    return end;
  };
}

/** Returns what finds the end of the next run of as many backticks, from increasing positions. */
function createClosingFinder(content: string): (from: number, length: number) => number | undefined {
  const startsByLength = new Map<number, number[]>();
  // From the end, so that the next one is the last of its list.
  for (const { index, 0: run } of [...content.matchAll(/`+/g)].reverse()) {
    const starts = startsByLength.get(run.length);
    if (starts) starts.push(index);
    else startsByLength.set(run.length, [index]);
  }
  return (from, length) => {
    const starts = startsByLength.get(length) ?? [];
    while ((starts.at(-1) ?? from) < from) starts.pop();
    const start = starts.at(-1);
    return start === undefined ? undefined : start + length;
  };
}

/** The text without its code, in which nothing is a mention or a link. */
export function withoutCode(content: string): string {
  const spans = findCode(content);
  const texts = spans.map(({ start }, index) => content.slice(spans[index - 1]?.end ?? 0, start));
  return [...texts, content.slice(spans.at(-1)?.end ?? 0)].join(' ');
}

/** Finds the mentions in a text, except in code. */
export function findMentions(content: string): MentionToken[] {
  if (!content.includes('<')) return [];
  const code = findCode(content).reverse();
  const isInCode = (at: number) => {
    while ((code.at(-1)?.end ?? at + 1) <= at) code.pop();
    return (code.at(-1)?.start ?? at + 1) <= at;
  };
  return [...content.matchAll(TOKEN)]
    .filter(({ index }) => !isInCode(index))
    .map(({ index: at, 0: text, 1: group, 2: sign, 3: id = '' }): MentionToken => {
      if (group === 'here' || group === 'everyone') return { at, text, kind: group };
      return { at, text, kind: KINDS[sign as keyof typeof KINDS], id };
    });
}

export function listMentions(content: string): Mentions {
  const tokens = findMentions(content);
  const users = new Set(tokens.flatMap((token) => (token.kind === 'user' ? [token.id] : [])));
  const groups = new Map(
    tokens.flatMap((token) =>
      token.kind === 'department' || token.kind === 'project' ? [[token.id, { type: token.kind, id: token.id }]] : [],
    ),
  );
  return {
    users: [...users].slice(0, MAX_MENTIONED_USERS),
    here: tokens.some(({ kind }) => kind === 'here'),
    everyone: tokens.some(({ kind }) => kind === 'everyone'),
    groups: [...groups.values()].slice(0, MAX_MENTIONED_GROUPS),
  };
}

/** Whether a message may notify many users at once, which a channel can restrict. */
export const mentionsGroups = ({ here, everyone, groups }: Mentions): boolean => here || everyone || groups.length > 0;
