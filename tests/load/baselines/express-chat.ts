import express from 'express';
import pg from 'pg';
import { listConversationRows } from '../../../services/chat/src/model/conversation-repository.ts';
import { findMessagePage } from '../../../services/chat/src/model/message-page.ts';

/** Baseline for reading chat: bare Express routes that run the service's SQL and return the rows. */
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

app.get('/messages', async (_req, res) => {
  res.json(await findMessagePage(pool, { conversation, viewerId: viewer, limit: 100 }));
});

app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
