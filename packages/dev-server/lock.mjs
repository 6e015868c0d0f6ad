// A lock file shared by launchers. Its holder touches it periodically, so that another machine can detect a killed holder. On the same
// machine the holder's process is checked instead, because it may only be suspended.
import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';

const BEAT_MS = 2_000;
const STALE_MS = 20_000;

const holderIsGone = async (file) => {
  const found = await stat(file).catch(() => undefined);
  if (!found) return true;
  const [host, pid] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  const isQuiet = Date.now() - found.mtimeMs > STALE_MS;
  if (host !== hostname() || !pid) return isQuiet;
  // After a reboot the process id may belong to another program.
  if (isQuiet && found.mtimeMs < Date.now() - uptime() * 1_000) return true;
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
    const words = `${hostname()} ${process.pid} ${randomUUID()}`;
    await handle.writeFile(words);
    await handle.close();
    return words;
  } catch (error) {
    if (error.code === 'EEXIST') return undefined;
    throw error;
  }
};

// Only one of several waiting processes may remove a stale lock, or the last would remove the lock that the first has created.
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
  let words = await create(file);
  if (!words) {
    if (!(await holderIsGone(file))) return undefined;
    await clearAway(file);
    words = await create(file);
    if (!words) return undefined;
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), BEAT_MS);
  beat.unref();
  return async () => {
    clearInterval(beat);
    // Another machine may have taken over the lock of a suspended process.
    if ((await readFile(file, 'utf8').catch(() => '')) === words) await rm(file, { force: true });
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
