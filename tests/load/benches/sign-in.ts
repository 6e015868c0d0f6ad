import { hashToken } from '@atrium/auth/secrets/crypto';
import { createPasswordHasher } from '@atrium/auth/secrets/password-hasher';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type Figure, median } from '../figures.ts';
import { loadHttp } from '../http-load.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { measureCpu } from '../processes.ts';

const CONNECTIONS = 16;
const SECONDS = 4;
const ROUNDS = 4;
const PASSWORD = 'A password of the bench 1!';
/** A device token, as issued at the first sign-in. */
const DEVICE = 'd'.repeat(43);
const CLIENT = { address: null, isKnown: true };

/** Signs in from known devices, sequentially on each connection, against password hashing alone on all cores. */
export async function benchSignIn(environment: LoadEnvironment): Promise<Figure[]> {
  const passwords = createPasswordHasher();
  const auth = await environment.startService('auth', 'sign_in');
  try {
    const hash = await passwords.hash(PASSWORD, CLIENT);
    await insertAccounts(environment, hash);
    let nextUser = 0;
    const body = () =>
      JSON.stringify({
        email: environment.users[nextUser++ % environment.users.length]?.email,
        password: PASSWORD,
        device: DEVICE,
      });
    const url = `${auth.url}/api/auth/login`;
    const headers = { 'content-type': 'application/json' };
    const signIn = () => loadHttp({ url, connections: CONNECTIONS, seconds: SECONDS, headers, method: 'POST', body });
    await signIn();
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const hashesPerSecond = await checksPerSecond(() => passwords.matches(PASSWORD, hash, CLIENT));
      const signIns = await measureCpu([auth], signIn);
      ratios.push(signIns.perSecond / hashesPerSecond);
      environment.print(
        `  Argon2id alone ${hashesPerSecond.toFixed(0)}/s, sign-ins ${signIns.perSecond.toFixed(0)}/s at ${signIns.cpuMs.toFixed(2)} ms CPU of auth`,
      );
    }
    return [
      {
        name: 'sign-ins against Argon2id alone on all cores',
        value: median(ratios),
        unit: '×',
        limit: 0.85,
        sense: 'at least',
        detail: `${CONNECTIONS} connections, with the database and this load on the same cores`,
      },
    ];
  } finally {
    await auth.stop();
  }
}

async function insertAccounts(environment: LoadEnvironment, hash: string): Promise<void> {
  const ids = environment.users.map(({ _id }) => _id);
  const url = environment.databaseUrl('sign_in');
  await queryDatabase(
    url,
    `insert into accounts (id, email, password_hash, state, first_name, last_name, role, activated_at)
     select id, email, $3, 'active', 'Person', 'Somebody', 'member', now() - interval '1 day'
     from unnest($1::text[], $2::text[]) as person (id, email)`,
    [ids, environment.users.map(({ email }) => email), hash],
  );
  await queryDatabase(
    url,
    'insert into known_devices (user_id, token_hash, scripted) select id, $2, true from unnest($1::text[]) as id',
    [ids, hashToken(DEVICE)],
  );
}

async function checksPerSecond(check: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  let checkCount = 0;
  const checkRepeatedly = async () => {
    for (; performance.now() - startedAt < SECONDS * 1000; checkCount += 1) await check();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, checkRepeatedly));
  return checkCount / ((performance.now() - startedAt) / 1000);
}
