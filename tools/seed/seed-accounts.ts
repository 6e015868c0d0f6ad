import { argon2Sync, randomBytes } from 'node:crypto';
import { inDatabase, insertAll } from './insert.ts';
import type { SeededPerson } from './seed-people.ts';

// The parameters of the auth service (the second OWASP recommendation for Argon2id). All accounts share one hash,
// because each takes 11 ms.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const hashPassword = (password: string): string => {
  const nonce = randomBytes(16);
  const hash = argon2Sync('argon2id', { message: password, nonce, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(hash)}`;
};

export const seedAccounts = (authUrl: string, people: readonly SeededPerson[], password: string): Promise<void> =>
  inDatabase(authUrl, (client) => {
    const password_hash = hashPassword(password);
    const accounts = people.map(({ id, email, first_name, last_name, role, department_id, join_date }) => ({
      ...{ id, email, first_name, last_name, role, department_id, password_hash },
      state: 'active',
      created_at: join_date,
      activated_at: join_date,
    }));
    const columns = `id text, email text, first_name text, last_name text, role text, department_id text, password_hash text,
      state text, created_at timestamptz, activated_at timestamptz`;
    return insertAll(client, { table: 'accounts', columns }, accounts);
  });
