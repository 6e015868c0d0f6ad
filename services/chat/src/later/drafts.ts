import { type Draft, MAX_DRAFTS, TOO_MANY_DRAFTS } from '@atrium/proto-events/http/chat/drafts';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findRoot } from '../messages/thread-root.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import {
  countDrafts,
  type DraftRow,
  deleteDraft,
  listDraftRows,
  lockDraft,
  upsertDraft,
} from '../model/messages/draft-repository.ts';
import { replaceNullCharacters } from '../model/messages/message-repository.ts';
import { presentDraft } from '../model/messages/present-draft.ts';

type SaveDraftParams = {
  conversation: string;
  thread?: string | undefined;
  content: string;
  version?: number | undefined;
};

export async function saveDraft(deps: Deps, caller: Caller, params: SaveDraftParams): Promise<Draft> {
  const { db, directory, broadcaster } = deps;
  await assertDestination(db, caller, params);
  const { draft, isChanged } = await db.transaction((tx) => writeDraft(deps, tx, caller.userId, params));
  const presented = presentDraft(directory, draft);
  if (isChanged) broadcaster.draftChanged(caller.userId, presented);
  return presented;
}

/** Throws `not_found` unless the caller is in the conversation. */
async function assertDestination(
  db: Queryable,
  { userId }: Caller,
  { conversation, thread }: Pick<SaveDraftParams, 'conversation' | 'thread'>,
): Promise<void> {
  if (thread !== undefined) await findRoot(db, { id: thread, userId, conversation });
  else if (!(await findReadState(db, conversation, userId))) throw notFound('Conversation');
}

async function writeDraft(
  deps: Deps,
  tx: Queryable,
  userId: string,
  params: SaveDraftParams,
): Promise<{ draft: DraftRow; isChanged: boolean }> {
  const { conversation, thread, version } = params;
  const key = { userId, logId: thread ?? conversation };
  const content = replaceNullCharacters(params.content);
  const stored = await lockDraft(tx, key);
  const absent = { log_id: key.logId, conversation_id: conversation, content: '', version: 0 };
  const current = stored ?? absent;
  if (current.content === content) return { draft: current, isChanged: false };
  if (version !== undefined && version !== current.version)
    throw new AppError('stale_version', 'This draft was changed on another device', {
      current: presentDraft(deps.directory, current),
    });
  if (content === '') return { draft: (await deleteDraft(tx, key)) ?? absent, isChanged: true };
  const draft = await upsertDraft(tx, key, { conversation, content, replaces: current.version });
  // Another device has written the first draft since.
  if (!draft) return writeDraft(deps, tx, userId, params);
  if (!stored && (await countDrafts(tx, userId)) > MAX_DRAFTS)
    throw new AppError('validation_failed', TOO_MANY_DRAFTS, { messages: [TOO_MANY_DRAFTS] });
  return { draft, isChanged: true };
}

export async function listDrafts({ db, directory }: Deps, caller: Caller, query: { page: number; limit: number }) {
  const { rows, total } = await listDraftRows(db, caller.userId, toLimits(query));
  return toPage(
    rows.map((row) => presentDraft(directory, row)),
    total,
    query,
  );
}
