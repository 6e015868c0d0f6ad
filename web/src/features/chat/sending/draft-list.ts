import { useEffect, useSyncExternalStore } from 'react';
import { coalesce } from '#lib/delayed-tasks.ts';
import { onDraftsChange } from '#lib/forms/drafts.ts';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';
import { getRootOfLog } from '../log/log-id.ts';
import { joinLines } from '../text/composed-text.ts';
import { type Draft, getMessageDraft, isComposerEmpty, listDraftLogs, saveMessageDraft } from './drafts.ts';

export type ListedDraft = {
  logId: string;
  conversation: string;
  /** The root of its thread; null for a conversation. */
  thread: string | null;
  text: string;
  /** In milliseconds since 1970. */
  editedAt: number;
};

type DraftList = { drafts: readonly ListedDraft[]; logIds: ReadonlySet<string> };

/** The list is behind what is being typed, so that typing does not render other conversations. */
const UPDATE_INTERVAL_MS = 300;

const list = createUserScopedStore<DraftList>(() => ({ drafts: [], logIds: new Set() }));

function update(): void {
  const owner = list.owner();
  if (owner !== null) list.change(owner, (before) => latestOf(before, readDrafts(owner)));
}

const latestOf = (before: DraftList, drafts: readonly ListedDraft[]): DraftList =>
  JSON.stringify(before.drafts) === JSON.stringify(drafts)
    ? before
    : { drafts, logIds: new Set(drafts.map(({ logId }) => logId)) };

function readDrafts(owner: string): ListedDraft[] {
  const drafts = listDraftLogs(owner).flatMap((logId): ListedDraft[] => {
    const draft = getMessageDraft(owner, logId);
    const thread = getRootOfLog(logId);
    const conversation = thread === null ? logId : draft.conversation;
    if (isComposerEmpty(draft) || draft.isRejected || conversation === undefined) return [];
    return [{ logId, conversation, thread, text: draft.text, editedAt: draft.editedAt ?? 0 }];
  });
  return drafts.sort((a, b) => b.editedAt - a.editedAt);
}

const updateSoon = coalesce(UPDATE_INTERVAL_MS, update);
onDraftsChange(() => updateSoon([null]));

/** Lists the drafts of messages, last changed first. */
export function useDraftList(): readonly ListedDraft[] {
  useEffect(() => {
    update();
  }, []);
  return useSyncExternalStore(list.subscribe, () => list.get().drafts);
}

export const useHasDraft = (logId: string): boolean =>
  useSyncExternalStore(list.subscribe, () => list.get().logIds.has(logId));

/** Undoes the deletion of a draft, and keeps what was typed since. */
export function restoreDraft(owner: Owner, logId: string, deleted: Draft): void {
  const current = getMessageDraft(owner, logId);
  saveMessageDraft(owner, logId, isComposerEmpty(current) ? deleted : { ...current, ...joinLines(deleted, current) });
}
