import express from 'express';
import pg from 'pg';
import { listConversationRows } from '../../../services/chat/src/model/conversations/conversation-repository.ts';
import { findMessagePage } from '../../../services/chat/src/model/messages/message-page.ts';

/** Baselines for reading chat: bare Express routes that return rows. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.disable('x-powered-by');
app.disable('etag');

const viewer = process.env.VIEWER ?? '';
const conversation = process.env.CONVERSATION ?? '';

app.get('/conversations', async (_req, res) => {
  const { rows, total } = await listConversationRows(pool, viewer, { limit: 100, offset: 0, maxParticipants: 6 });
  res.json({ data: rows, total });
});

/** Selects what a page of the service contains, with plain statements. */
app.get('/messages', async (_req, res) => {
  const [readState, messages] = await Promise.all([
    pool.query({ name: 'read-state', text: READ_STATE, values: [conversation, viewer] }),
    pool.query({ name: 'messages', text: MESSAGES, values: [conversation, 101] }),
  ]);
  const seqs = messages.rows.map(({ seq }) => seq);
  const [readers, files] = await Promise.all([
    pool.query({ name: 'readers', text: READERS, values: [conversation, Math.min(...seqs)] }),
    pool.query({ name: 'files', text: FILES, values: [conversation, seqs] }),
  ]);
  res.json({ data: messages.rows, readers: readers.rows, files: files.rows, total: readState.rows[0]?.last_seq });
});

const READ_STATE = `select c.last_seq, p.last_read_seq from participants p join conversations c using (conversation_id)
  where p.conversation_id = $1 and p.user_id = $2`;
const MESSAGES = `select conversation_id, seq, message_id, sender_id, content, client_message_id, created_at, updated_at, edited_at,
    deleted_at, (select max(rev) from message_changes where conversation_id = $1) as revision
  from messages where conversation_id = $1 order by seq desc limit $2`;
const READERS = `select last_read_seq, count(*) as readers, (array_agg(user_id order by user_id))[1:7] as user_ids
  from participants where conversation_id = $1 and last_read_seq >= $2 group by last_read_seq`;
const FILES = 'select * from attachments where conversation_id = $1 and seq = any($2::bigint[])';

/** Selects it with the statement of the service. */
app.get('/message-page', async (_req, res) => {
  res.json(await findMessagePage(pool, { of: 'conversation', id: conversation, viewerId: viewer, limit: 100 }));
});

app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
