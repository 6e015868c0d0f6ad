// A lock file that several launchers share. Its holder keeps touching it, so one that was killed is recognised as stale.
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';

const BEAT_MS = 2_000;
const STALE_MS = 20_000;

const holderIsGone = async (file) => {
  const found = await stat(file).catch(() => undefined);
  if (!found) return true;
  if (Date.now() - found.mtimeMs > STALE_MS) return true;
  const [host, pid] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  if (host !== hostname() || !pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
};

const create = async (file) => {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${hostname()} ${process.pid}`);
    await handle.close();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
};

// Of several who find a lock without a holder only one may take it away, or the last would remove what the first had made.
const clearAway = async (file) => {
  const clearing = `${file}.clearing.lock`;
  if (!(await create(clearing))) {
    if (await holderIsGone(clearing)) await rm(clearing, { force: true });
    return;
  }
  try {
    if (await holderIsGone(file)) await rm(file, { force: true });
  } finally {
    await rm(clearing, { force: true });
  }
};

export const tryLock = async (file) => {
  if (!(await create(file))) {
    if (!(await holderIsGone(file))) return undefined;
    await clearAway(file);
    if (!(await create(file))) return undefined;
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), BEAT_MS);
  beat.unref();
  return async () => {
    clearInterval(beat);
    await rm(file, { force: true });
  };
};

export const waitForLock = async (file, onWait = () => undefined) => {
  for (let tries = 0; ; tries += 1) {
    const release = await tryLock(file);
    if (release) return release;
    if (tries === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};
