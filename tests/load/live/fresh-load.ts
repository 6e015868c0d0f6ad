import { isDeepStrictEqual } from 'node:util';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { insertPeople } from '@atrium/proto-events/insert-people';
import { LONG_PAGE } from '@atrium/web/realtime/patch-list';
import type { Browser } from './browser.ts';
import { isMessagesKey, UNREAD } from './screens.ts';

/** Compares what a browser shows with the server's current responses. Returns the differences. */
export async function listDifferences(url: string, browser: Browser): Promise<string[]> {
  const differences = await Promise.all(browser.screen.keys.map((key) => compareKey(url, browser, key)));
  return differences.flatMap((difference, index) =>
    difference === null ? [] : [`${browser.screen.keys[index]} of a ${browser.screen.name}${difference}`],
  );
}

async function compareKey(url: string, browser: Browser, key: string): Promise<string | null> {
  const response = await fetch(`${url}/api${key.replace(/&pages=\d+$/, '')}`, {
    headers: { authorization: `Bearer ${browser.user.token}` },
  });
  const body: unknown = insertPeople(await response.json());
  const cached = browser.cachedData(key);
  // The unread count is updated from events without a request.
  if (key === UNREAD) {
    const { total } = body as { total: number };
    return total === browser.unread.total() ? null : `: ${browser.unread.total()} instead of ${total}`;
  }
  if (isMessagesKey(key)) return compareMessages((body as Messages).data, (cached as { messages: unknown[] }).messages);
  return findPageDifference(toShown(body), toJson(toShown(cached, browser)));
}

/** Like `findDifference`, except that one of two long pages may be shorter. */
export function findPageDifference(expected: unknown, actual: unknown): string | null {
  const lengths = [expected, actual].map((page) => (isPage(page) ? page.data.length : 0));
  const length = Math.min(...lengths);
  const cut = (page: unknown) =>
    isPage(page) && length >= LONG_PAGE ? { ...page, data: page.data.slice(0, length) } : page;
  return findDifference(cut(expected), cut(actual));
}

const isPage = (response: unknown): response is { data: unknown[] } =>
  isObject(response) && Array.isArray(response.data) && 'total' in response;

/** Leaves out what describes the response, and inserts the unread counts that a browser shows instead. */
export function toShown(response: unknown, browser?: Browser): unknown {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return response;
  const { asOf: _asOf, patches: _patches, ...shown } = response as Record<string, unknown>;
  if (!Array.isArray(shown.data)) return shown;
  return {
    ...shown,
    data: shown.data.map((item) => ('lastReadSeq' in item ? toShownConversation(item, browser) : item)),
  };
}

/** Where the unread messages begin is shown only if there are any. */
function toShownConversation(conversation: Conversation, browser: Browser | undefined) {
  const unreadCount = browser ? browser.unread.countIn(conversation) : conversation.unreadCount;
  const lastReadSeq = browser ? browser.unread.lastReadSeqIn(conversation) : conversation.lastReadSeq;
  return {
    ...conversation,
    lastMessage: toShownMessage(conversation.lastMessage),
    unreadCount,
    lastReadSeq: unreadCount > 0 ? lastReadSeq : null,
  };
}

/** Without fields that are undefined. */
export const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Messages = { data: unknown[] };

/** Compares the end of a log with the newest messages of the server. */
const compareMessages = (newest: unknown[], log: unknown[]) =>
  findDifference(newest.map(toShownMessage), toJson(log.slice(log.length - newest.length).map(toShownMessage)));

/**
 * Events contain neither the readers of a message nor what the user can do with it, which the app does not show, nor
 * whether the user has saved it, which nobody has of a new one.
 */
function toShownMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { readBy: _readBy, abilities: _abilities, saved = false, ...shown } = message;
  return { ...shown, saved };
}

/** Returns the path and both values of the first difference, or null if there is none. */
export function findDifference(expected: unknown, actual: unknown, path = ''): string | null {
  if (isDeepStrictEqual(expected, actual)) return null;
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return `${path}: ${toText(actual)} instead of ${toText(expected)}`;
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = findDifference(expected[name], actual[name], `${path}.${name}`);
    if (difference !== null) return difference;
  }
  return path;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const toText = (value: unknown) => String(JSON.stringify(value)).slice(0, 80);
