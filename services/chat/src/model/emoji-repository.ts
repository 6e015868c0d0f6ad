import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type EmojiRow = {
  emoji_id: string;
  name: string;
  object_key: string;
  mimetype: string;
  uploader_id: string;
  created_at: Date;
};

const COLUMNS = 'emoji_id, name, object_key, mimetype, uploader_id, created_at';

export async function listEmojiRows(db: Queryable): Promise<EmojiRow[]> {
  const { rows } = await db.query<EmojiRow>(`select ${COLUMNS} from custom_emoji order by name`);
  return rows;
}

export async function findEmoji(db: Queryable, id: string): Promise<EmojiRow | undefined> {
  const { rows } = await db.query<EmojiRow>(`select ${COLUMNS} from custom_emoji where emoji_id = $1`, [id]);
  return rows[0];
}

export async function emojiExists(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query('select from custom_emoji where name = $1', [name]);
  return rows.length > 0;
}

type NewEmoji = Omit<EmojiRow, 'created_at'> & { sha256: string; size: number };

/** Returns undefined if there is an emoji of that name. */
export async function insertEmoji(tx: Queryable, emoji: NewEmoji): Promise<EmojiRow | undefined> {
  const { rows } = await tx.query<EmojiRow>(
    `insert into custom_emoji (emoji_id, name, object_key, mimetype, uploader_id, sha256, size)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (name) do nothing returning ${COLUMNS}`,
    [emoji.emoji_id, emoji.name, emoji.object_key, emoji.mimetype, emoji.uploader_id, emoji.sha256, emoji.size],
  );
  return rows[0];
}

/** Counts the emoji, of which no other can be added until the transaction ends. */
export async function countEmojiForUpdate(tx: Queryable): Promise<number> {
  await tx.query('lock table custom_emoji in share row exclusive mode');
  const { rows } = await tx.query<{ count: number }>('select count(*) from custom_emoji');
  return rows[0]?.count ?? 0;
}

/** Returns undefined if there is no such emoji. */
export async function deleteEmojiRow(tx: Queryable, id: string): Promise<EmojiRow | undefined> {
  const { rows } = await tx.query<EmojiRow>(`delete from custom_emoji where emoji_id = $1 returning ${COLUMNS}`, [id]);
  return rows[0];
}
