import { createListeners } from '../listeners.ts';
import { currentUserId } from '../session/session.ts';
import { createUserScopedStore, type Owner } from '../session/user-scoped-store.ts';
import { deviceStorage } from '../storage.ts';

/** Prefix of `atrium:draft:<user>:<key>`, which holds unsent input that is restored after a reload or a crash. */
const PREFIX = 'atrium:draft:';
const DRAFT_RETENTION_MS = 30 * 24 * 60 * 60_000;

type Attempt = { content: string; key: string };
/** `saved`: it is stored on the server, too. */
type Stored = { at: number; value: unknown; attempt?: Attempt | undefined; saved?: true | undefined };

const listeners = createListeners();
/** Caches the last parsed value, so that repeated reads return the same object. */
const parsedDrafts = createUserScopedStore(
  () => new Map<string, { text: string | null; value: unknown }>(),
  // Logging out deletes the drafts on a shared device; an expired session keeps them.
  (_, { owner, hasSignedOut }) => {
    if (!hasSignedOut) return void signedOutUsers.delete(owner);
    signedOutUsers.add(owner);
    deleteAllDrafts(owner);
  },
);
const signedOutUsers = new Set<string>();
let isDeletionSuspended = false;

const keyOf = (owner: string, draftKey: string) => `${PREFIX}${owner}:${draftKey}`;

export const onDraftsChange = listeners.subscribe;

/** Returns a value in the shape of the form that wrote it, which may be an older version of the form. */
export function getDraft(draftKey: string, owner: Owner = currentUserId()): unknown {
  if (owner === null) return undefined;
  const key = keyOf(owner, draftKey);
  const text = deviceStorage.read(key);
  const cached = parsedDrafts.get().get(key);
  if (cached && cached.text === text) return cached.value;
  const value = parseStored(text)?.value;
  parsedDrafts.get().set(key, { text, value });
  return value;
}

export const listDraftKeys = (draftKey: string, owner: string): string[] =>
  deviceStorage.keys(keyOf(owner, draftKey)).map((key) => key.slice(keyOf(owner, '').length));

/**
 * Saves even if the session expired during a request, but never for a user who has logged out. `isOnServer`: it is not
 * lost if it is deleted here.
 */
export function saveDraft(owner: Owner, draftKey: string, value: unknown, isOnServer = false): void {
  if (owner === null || (signedOutUsers.has(owner) && currentUserId() !== owner)) return;
  const key = keyOf(owner, draftKey);
  const attempt = parseStored(deviceStorage.read(key))?.attempt;
  deviceStorage.write(
    key,
    JSON.stringify({ at: Date.now(), value, attempt, saved: isOnServer || undefined } satisfies Stored),
  );
  listeners.notify();
}

export const getAttempt = (owner: Owner, draftKey: string): Attempt | undefined =>
  owner === null ? undefined : parseStored(deviceStorage.read(keyOf(owner, draftKey)))?.attempt;

export function recordAttempt(owner: Owner, draftKey: string, attempt: Attempt | undefined): void {
  if (owner === null) return;
  const key = keyOf(owner, draftKey);
  const draft = parseStored(deviceStorage.read(key));
  if (draft) deviceStorage.write(key, JSON.stringify({ ...draft, attempt } satisfies Stored));
}

export function deleteDraft(owner: Owner, draftKey: string): void {
  if (owner === null || isDeletionSuspended) return;
  deviceStorage.remove(keyOf(owner, draftKey));
  listeners.notify();
}

function deleteAllDrafts(owner: string): void {
  for (const key of deviceStorage.keys(`${PREFIX}${owner}:`)) deviceStorage.remove(key);
  listeners.notify();
}

/** Whether there is input that is stored on this device only. */
export function hasDrafts(): boolean {
  const owner = currentUserId();
  const isUnsaved = (key: string) => parseStored(deviceStorage.read(key))?.saved !== true;
  return owner !== null && deviceStorage.keys(`${PREFIX}${owner}:`).some(isUnsaved);
}

/** A screen that crashes unmounts its forms without being left: no draft is deleted in this tick. */
export function suspendDraftDeletion(): void {
  isDeletionSuspended = true;
  setTimeout(() => {
    isDeletionSuspended = false;
  });
}

export function watchDrafts(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(PREFIX)) listeners.notify();
  });
  const oldest = Date.now() - DRAFT_RETENTION_MS;
  for (const key of deviceStorage.keys(PREFIX))
    if ((parseStored(deviceStorage.read(key))?.at ?? 0) < oldest) deviceStorage.remove(key);
}

function parseStored(text: string | null): Stored | null {
  if (text === null) return null;
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null || !('at' in stored) || !('value' in stored)) return null;
    return {
      at: Number(stored.at),
      value: stored.value,
      attempt: 'attempt' in stored ? parseAttempt(stored.attempt) : undefined,
      saved: 'saved' in stored && stored.saved === true ? true : undefined,
    };
  } catch {
    return null;
  }
}

function parseAttempt(value: unknown): Attempt | undefined {
  if (typeof value !== 'object' || value === null || !('content' in value) || !('key' in value)) return undefined;
  return { content: String(value.content), key: String(value.key) };
}
