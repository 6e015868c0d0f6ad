import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { migrateUpTo } from '@atrium/test-kit/migrate-up-to';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { expect, it } from '@jest/globals';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
const DECOMPOSED = 'Cafe\u0301';

it('composes stored names and tags, merges tags that become one, and folds what searches compare', async () => {
  const url = await testDatabase('documents_names');
  await migrateUpTo(url, MIGRATIONS, '0016');
  const rest = `'public', 'u', 'k', 'pdf', 'application/pdf', 1, 'h'`;
  await queryDatabase(
    url,
    `insert into documents (id, name, description, tags, visibility, uploaded_by, object_key, extension, mimetype, size, sha256)
     values ('a', '${DECOMPOSED}.pdf', 'Straße', '{Zeta,${DECOMPOSED},Café}', ${rest}), ('b', 'Plan.pdf', '', '{Café}', ${rest})`,
  );
  await queryDatabase(
    url,
    `insert into objects (object_key, owner_id, sha256, size, mimetype) values ('k', 'u', 'h', 1, 'application/pdf');
     insert into object_texts (object_key, state, words) values ('k', 'done', '''cafe''')`,
  );
  await migrate(url, MIGRATIONS);
  expect(await queryDatabase(url, 'select name, tags, search, version from documents order by id')).toEqual([
    { name: 'Café.pdf', tags: ['Zeta', 'Café'], search: ' cafe pdf strasse zeta cafe', version: 2 },
    { name: 'Plan.pdf', tags: ['Café'], search: ' plan pdf cafe', version: 1 },
  ]);
  expect(
    await queryDatabase(
      url,
      `select tag, sum(documents)::int as n from document_totals where tag <> '' group by tag having sum(documents) > 0 order by tag`,
    ),
  ).toEqual([
    { tag: 'Café', n: 2 },
    { tag: 'Zeta', n: 1 },
  ]);
  // Found by its former words until it has been read again.
  expect(await queryDatabase(url, 'select state, words::text from object_texts')).toEqual([
    { state: 'pending', words: `'cafe'` },
  ]);
});
