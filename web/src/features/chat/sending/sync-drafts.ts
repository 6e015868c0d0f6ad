import type { listDrafts, Draft as SavedDraft, saveDraft } from '@atrium/proto-events/http/chat/drafts';
import { type CallOptions, call } from '#lib/api/api.ts';
import { ApiError, isFinal } from '#lib/api/api-error.ts';
import { onDraftsChange } from '#lib/forms/drafts.ts';
import { currentUserId } from '#lib/session/session.ts';
import { chatSocket } from '#realtime/connection/socket.ts';
import { onConnected } from '#realtime/connection/status.ts';
import { type Destination, getRootOfLog, logIdOf } from '../log/log-id.ts';
import { type Draft, draftContent, getMessageDraft, isUnsaved, listDraftLogs, storeDraft } from './drafts.ts';
import { hasSavedVersion, mergeDraft } from './merge-draft.ts';

/** After the last key. */
const SAVE_DELAY_MS = 1_000;
const RETRY_DELAY_MS = 30_000;
const PAGE_SIZE = 100;
const MAX_SENT = 10;

/**
 * Saves drafts on the server, and takes those of other devices, until the returned function is called. Requests and
 * events are handled one at a time, so that no response undoes a later event.
 */
export function startDraftSync(owner: string): () => void {
  let queue = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isCurrent = () => currentUserId() === owner;
  const enqueue = (work: () => Promise<void> | void) => {
    queue = queue.then(() => (isCurrent() ? work() : undefined)).catch(() => saveLater(RETRY_DELAY_MS));
  };
  const saveLater = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => enqueue(saveAll), delayMs);
  };
  const saveAll = async () => {
    for (const logId of listUnsaved(owner)) await save(owner, logId);
  };
  const saveNow = () => {
    for (const logId of listUnsaved(owner)) save(owner, logId, { keepalive: true }).catch(() => undefined);
  };
  const saveIfHidden = () => {
    if (document.visibilityState === 'hidden') saveNow();
  };
  const load = () => {
    enqueue(() => takeAll(owner));
    enqueue(saveAll);
  };
  const receive = (draft: SavedDraft) =>
    enqueue(() => {
      // A late event is older than what this device has saved since.
      if (!hasSavedVersion(owner, draft)) mergeDraft(owner, draft);
    });
  const stops = [onDraftsChange(() => saveLater(SAVE_DELAY_MS)), onConnected(load)];
  window.addEventListener('pagehide', saveNow);
  document.addEventListener('visibilitychange', saveIfHidden);
  chatSocket.on('draft:changed', receive);
  load();
  return () => {
    clearTimeout(timer);
    if (isCurrent()) saveNow();
    for (const stop of stops) stop();
    chatSocket.off('draft:changed', receive);
    window.removeEventListener('pagehide', saveNow);
    document.removeEventListener('visibilitychange', saveIfHidden);
  };
}

const listUnsaved = (owner: string) =>
  listDraftLogs(owner).filter((logId) => {
    const draft = getMessageDraft(owner, logId);
    return !draft.isRejected && isUnsaved(draft) && destinationOf(logId, draft) !== undefined;
  });

function destinationOf(logId: string, { conversation }: Draft): Destination | undefined {
  const thread = getRootOfLog(logId);
  if (thread === null) return { conversation: logId };
  return conversation === undefined ? undefined : { conversation, thread };
}

/** Rejects if the server could not be reached. */
async function save(owner: string, logId: string, options: CallOptions = {}): Promise<void> {
  const draft = getMessageDraft(owner, logId);
  const destination = destinationOf(logId, draft);
  if (!destination) return;
  const content = draftContent(draft);
  const body = { ...destination, content, version: draft.server?.version ?? 0 };
  if (draft.sent?.at(-1) !== content)
    storeDraft(owner, logId, { ...draft, sent: [...(draft.sent ?? []), content].slice(-MAX_SENT) });
  try {
    const { version } = await call<typeof saveDraft>('PUT /chat/drafts', { body }, options);
    const server = content === '' ? undefined : { version, content };
    storeDraft(owner, logId, { ...getMessageDraft(owner, logId), server, sent: undefined });
  } catch (error) {
    // A session that has ended says nothing about the draft.
    if (!isFinal(error) || !(error instanceof ApiError) || error.status === 401) throw error;
    if (error.code === 'stale_version') return mergeDraft(owner, error.current as SavedDraft);
    // It stays on this device.
    storeDraft(owner, logId, { ...getMessageDraft(owner, logId), sent: undefined, isRejected: true });
  }
}

/** Takes the drafts of other devices, and removes those that another device has removed. */
async function takeAll(owner: string): Promise<void> {
  const versions = new Map(listDraftLogs(owner).map((logId) => [logId, getMessageDraft(owner, logId).server?.version]));
  const saved = await loadAll();
  for (const draft of saved) if (!hasSavedVersion(owner, draft)) mergeDraft(owner, draft);
  const savedLogs = new Set(saved.map(logIdOf));
  for (const [logId, version] of versions) {
    const draft = getMessageDraft(owner, logId);
    if (savedLogs.has(logId) || version === undefined || draft.server?.version !== version) continue;
    storeDraft(owner, logId, isUnsaved(draft) ? { ...draft, server: undefined } : { text: '' });
  }
}

async function loadAll(): Promise<SavedDraft[]> {
  const drafts: SavedDraft[] = [];
  for (let page = 1; ; page += 1) {
    const { data, totalPages } = await call<typeof listDrafts>('GET /chat/drafts', {
      query: { limit: PAGE_SIZE, page },
    });
    drafts.push(...data);
    if (page >= totalPages) return drafts;
  }
}
