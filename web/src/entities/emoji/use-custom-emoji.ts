import type { CustomEmoji, getEmoji, listEmoji } from '@atrium/proto-events/http/chat/emoji';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** Links are issued with at least three minutes left; nearly expired ones are not used. */
const LINK_VALIDITY_MS = 2 * 60_000;

type KnownLink = { url: string; at: number };

/** By the id of the emoji. An image that is shown keeps its link. */
const links = createUserScopedStore(() => new Map<string, KnownLink>());

export const EMOJI_PATH = '/chat/emoji';

export const useEmojiList = (isEnabled = true) => useRead<typeof listEmoji>(`GET ${EMOJI_PATH}`, isEnabled ? {} : null);

export function useEmojiByName(name: string): CustomEmoji | undefined {
  return useEmojiList().data?.data.find((emoji) => emoji.name === name);
}

/** Returns a link that is valid now, or undefined if `fetchEmojiLink` has to get one. */
export function knownLink({ _id, url }: CustomEmoji): string | undefined {
  const known = links.get().get(_id);
  if (known && Date.now() - known.at < LINK_VALIDITY_MS) return known.url;
  if (url === undefined || known?.url === url) return undefined;
  links.get().set(_id, { url, at: Date.now() });
  return url;
}

export async function fetchEmojiLink({ _id }: CustomEmoji): Promise<string | undefined> {
  const known = links.get();
  const { url } = await call<typeof getEmoji>('GET /chat/emoji/:id', { params: { id: _id } });
  if (url !== undefined) known.set(_id, { url, at: Date.now() });
  return url;
}
