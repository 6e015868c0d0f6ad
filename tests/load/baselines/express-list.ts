import express from 'express';
import pg from 'pg';

/** Baseline for lists: a bare Express route that runs the service's SQL and returns the rows. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.disable('x-powered-by');
app.disable('etag');

const LIST = `select p.*, array(
    select m.user_id from project_members m where m.project_id = p.id order by m.position
  ) as member_ids from projects p order by p.updated_at desc, p.id desc limit $1 offset $2`;

app.get('/projects', async (_req, res) => {
  const [list, count] = await Promise.all([
    pool.query({ name: 'list', text: LIST, values: [100, 0] }),
    pool.query({ name: 'count', text: 'select count(*) as total from projects p', values: [] }),
  ]);
  res.json({ data: list.rows, total: Number(count.rows[0].total) });
});

app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
