import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { loadChunk } from '#lib/lazy.ts';
import { createListeners } from '#lib/listeners.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { hasMarkup, protectContent } from '../text/content-parts.ts';
import { isParsedQuickly } from './parse-cost.ts';
import { parseInWorker, type Tree } from './parse-in-worker.ts';

type Tools = {
  parseMessage: typeof import('./parse-message.ts').parseMessage;
  MarkdownContent: typeof import('./markdown-content.tsx').MarkdownContent;
};

const trees = createUserScopedStore(() => new Map<string, Tree>());
/** More than the messages of a log in memory, so that scrolling back parses nothing again. */
const MAX_TREES = 2_500;
const inFlight = new Map<string, Promise<void>>();
const { subscribe, notify } = createListeners();
/** Increases when texts were parsed. */
let version = 0;
/** Loaded for the first message that has markup. */
let tools: Tools | null = null;

/** Returns what displays a text with markup, or null while it is displayed as it was typed. */
export function useMarkdown(text: string | null) {
  const currentVersion = useSyncExternalStore(subscribe, () => version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the trees
  const tree = useMemo(() => (text === null ? null : getTree(text)), [text, currentVersion]);
  useEffect(() => {
    if (text !== null && tree === undefined) void parse(text);
  }, [text, tree]);
  return tree && tools ? { root: tree, MarkdownContent: tools.MarkdownContent } : null;
}

function getTree(text: string): Tree | undefined {
  const tree = trees.get().get(text);
  if (tree !== undefined || !tools || !isParsedQuickly(text)) return tree;
  return storeTree(text, tools.parseMessage(text));
}

function storeTree(text: string, tree: Tree): Tree {
  const all = trees.get();
  all.set(text, tree);
  const [oldest] = all.keys();
  if (all.size > MAX_TREES && oldest !== undefined) all.delete(oldest);
  return tree;
}

function parse(text: string): Promise<void> {
  const current = inFlight.get(text);
  if (current !== undefined) return current;
  const parsing = parseNow(text)
    // It stays as it was typed.
    .catch(() => undefined)
    .finally(() => {
      inFlight.delete(text);
      version += 1;
      notify();
    });
  inFlight.set(text, parsing);
  return parsing;
}

async function parseNow(text: string): Promise<void> {
  tools ??= await loadTools();
  if (getTree(text) !== undefined) return;
  const [tree = null] = await parseInWorker([text], false);
  storeTree(text, tree);
}

async function loadTools(): Promise<Tools> {
  const [{ parseMessage }, { MarkdownContent }] = await Promise.all([
    loadChunk(() => import('./parse-message.ts')),
    loadChunk(() => import('./markdown-content.tsx')),
  ]);
  return { parseMessage, MarkdownContent };
}

const MAX_WAIT_MS = 1_000;

/**
 * Parses messages before a page of them is shown. Otherwise, they would change their heights afterward, and move what
 * the user is reading.
 */
export async function prepareMessages(contents: readonly string[]): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_WAIT_MS);
  // Texts that could not be parsed stay as they were typed.
  await Promise.race([timeout, parseAll(contents).catch(() => undefined)]);
  clearTimeout(timer);
}

async function parseAll(contents: readonly string[]): Promise<void> {
  const all = trees.get();
  const texts = contents.map((content) => protectContent(content).text);
  const missing = texts.filter((text) => hasMarkup(text) && !all.has(text));
  if (missing.length === 0) return;
  const slow = missing.filter((text) => !isParsedQuickly(text)).map(parse);
  await parseQuickTexts(missing.filter(isParsedQuickly));
  await Promise.all(slow);
}

/**
 * Parses the first page here, which is faster. Later ones are loaded while the user scrolls, so a worker parses them, or
 * tasks that are short.
 */
async function parseQuickTexts(texts: readonly string[]): Promise<void> {
  const isFirstPage = tools === null;
  const all = trees.get();
  const parsed = isFirstPage || typeof Worker === 'undefined' ? [] : await parseInWorker(texts, true);
  if (all !== trees.get()) return;
  for (const [index, tree] of parsed.entries()) storeTree(texts[index] ?? '', tree);
  tools ??= await loadTools();
  for (const text of texts.slice(parsed.length)) {
    getTree(text);
    if (!isFirstPage) await nextTask();
  }
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
