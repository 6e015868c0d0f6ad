import type { Task } from '@atrium/proto-events/http/tasks';
import type { Day } from '#lib/time/day.ts';
import { dropTrailing, findProject, type NamedProject } from './find-project.ts';
import { type DateOrder, parseDate } from './parse-date.ts';

export type Priority = Task['priority'];

/** Consecutive parts of the line: joined, they are the line. */
export type Part = { kind: 'text' | 'date' | 'project' | 'priority'; text: string };

export type ParsedTask = {
  /** What is not a date, project, or priority. */
  title: string;
  dueDate: Day | undefined;
  project: NamedProject | undefined;
  priority: Priority | undefined;
  /** A project name, with its sign, that matches no project or several. It is text. */
  unknownProject: string | undefined;
  parts: readonly Part[];
};

type Context = { today: Day; order: DateOrder; projects: readonly NamedProject[] };

type Word = { text: string; from: number; to: number };

type Found = { from: number; to: number } & (
  | { kind: 'date'; day: Day }
  | { kind: 'project'; project: NamedProject }
  | { kind: 'priority'; priority: Priority }
);

const PRIORITIES: readonly Priority[] = ['urgent', 'high', 'medium', 'low'];

/**
 * Reads a task from one line, such as "Report friday #portal !high". Of several dates, projects, or priorities, the last
 * one counts. Everything else stays text.
 */
export function parseQuickAdd(line: string, context: Context): ParsedTask {
  const words = splitTokens(line);
  const found = findLast(findAll(line, words, context));
  const parts = toParts(line, found);
  const get = <Kind extends Found['kind']>(kind: Kind) =>
    found.find((part): part is Extract<Found, { kind: Kind }> => part.kind === kind);
  const isFound = (word: Word) => found.some(({ from, to }) => word.from >= from && word.to <= to);
  return {
    title: toTitle(parts),
    dueDate: get('date')?.day,
    project: get('project')?.project,
    priority: get('priority')?.priority,
    unknownProject: get('project') ? undefined : words.findLast((word) => isProjectSign(word) && !isFound(word))?.text,
    parts,
  };
}

const splitTokens = (line: string): Word[] =>
  [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, from: index, to: index + text.length }));

const isProjectSign = ({ text }: Word) => /^#\p{L}/u.test(text);

function findAll(line: string, words: readonly Word[], context: Context): Found[] {
  const found: Found[] = [];
  for (let index = 0; index < words.length; ) {
    const part = findAt(line, words, index, context);
    if (part) found.push(part);
    const end = part?.to ?? words[index]?.to ?? line.length;
    const next = words.findIndex(({ from }) => from >= end);
    index = next === -1 ? words.length : next;
  }
  return found;
}

function findAt(line: string, words: readonly Word[], index: number, context: Context): Found | undefined {
  const word = words[index];
  if (!word) return undefined;
  if (word.text.startsWith('#')) return findProjectAt(line, word, context);
  if (word.text.startsWith('!')) return findPriorityAt(word);
  return findDateAt(words, index, context);
}

function findProjectAt(line: string, { from }: Word, { projects }: Context): Found | undefined {
  const found = findProject(line.slice(from + 1), projects);
  return found && { kind: 'project', project: found.project, from, to: from + 1 + found.length };
}

/** Accepts the beginning of a priority, such as `!h`. */
function findPriorityAt({ text, from, to }: Word): Found | undefined {
  const typed = text.slice(1).toLowerCase();
  const priority = typed === '' ? undefined : PRIORITIES.find((name) => name.startsWith(typed));
  return priority && { kind: 'priority', priority, from, to };
}

/** Words that belong to a date. */
const PREPOSITIONS = ['on', 'by', 'due', 'until', 'before'];
/** After these, a date is part of a sentence, as in "move the call to friday". */
const SENTENCE_TOKENS = ['to', 'from', 'of', 'the', 'since', 'for', 'every', 'last'];

function findDateAt(words: readonly Word[], index: number, context: Context): Found | undefined {
  const at = (position: number) => words[position]?.text.toLowerCase() ?? '';
  const hasPreposition = PREPOSITIONS.includes(at(index));
  if (!hasPreposition && SENTENCE_TOKENS.includes(at(index - 1))) return undefined;
  const start = hasPreposition ? index + 1 : index;
  const texts = words.slice(start).map(({ text }) => text);
  const date = parseDate(texts, context) ?? parseDate(withoutPeriod(texts), context);
  const first = words[index];
  const last = words[start + (date?.wordCount ?? 0) - 1];
  if (!date || !first || !last) return undefined;
  const follower = at(start + date.wordCount);
  if (date.isAmbiguous && !hasPreposition && follower !== '' && !isSign(follower)) return undefined;
  return { kind: 'date', day: date.day, from: first.from, to: last.to };
}

/** The words to the end of the sentence, if only signs follow it. */
function withoutPeriod(texts: readonly string[]): string[] {
  const end = texts.findIndex((text) => /[.!]$/.test(text));
  const isLast = texts.slice(end + 1).every((text) => isSign(text));
  return end >= 0 && isLast ? [...texts.slice(0, end), dropTrailing(texts[end] ?? '', '.!')] : [];
}

/** Begins a project or a priority. */
const isSign = (text: string) => /^[#!]./.test(text);

const findLast = (found: readonly Found[]): Found[] =>
  found.filter(({ kind }, index) => found.findLastIndex((other) => other.kind === kind) === index);

function toParts(line: string, found: readonly Found[]): Part[] {
  const parts: Part[] = [];
  let position = 0;
  for (const { kind, from, to } of found) {
    if (from > position) parts.push({ kind: 'text', text: line.slice(position, from) });
    parts.push({ kind, text: line.slice(from, to) });
    position = to;
  }
  if (position < line.length) parts.push({ kind: 'text', text: line.slice(position) });
  return parts;
}

const toTitle = (parts: readonly Part[]): string =>
  parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ');
