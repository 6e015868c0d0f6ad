// A lock file shared by launchers. Its holder touches it periodically, so that a different machine can detect a killed
// holder. On the same machine, the holder's process is checked instead, because it may only be suspended.
import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';

const HEARTBEAT_MS = 2_000;
const STALE_MS = 20_000;

const isAbandoned = async (file) => {
  const stats = await stat(file).catch(() => undefined);
  if (!stats) return true;
  const [host, pid] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  const isStale = Date.now() - stats.mtimeMs > STALE_MS;
  if (host !== hostname() || !pid) return isStale;
  // After a reboot, the process id may belong to a different program.
  if (isStale && stats.mtimeMs < Date.now() - uptime() * 1_000) return true;
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
    const ownerToken = `${hostname()} ${process.pid} ${randomUUID()}`;
    await handle.writeFile(ownerToken);
    await handle.close();
    return ownerToken;
  } catch (error) {
    if (error.code === 'EEXIST') return undefined;
    throw error;
  }
};

// Only one of several waiting processes may remove a stale lock; otherwise a slower process could delete the lock that
// a faster one has just created.
const removeStaleLock = async (file) => {
  const removalLock = `${file}.clearing.lock`;
  if (!(await create(removalLock))) {
    if (await isAbandoned(removalLock)) await rm(removalLock, { force: true });
    return;
  }
  try {
    if (await isAbandoned(file)) await rm(file, { force: true });
  } finally {
    await rm(removalLock, { force: true });
  }
};

export const tryLock = async (file) => {
  let ownerToken = await create(file);
  if (!ownerToken) {
    if (!(await isAbandoned(file))) return undefined;
    await removeStaleLock(file);
    ownerToken = await create(file);
    if (!ownerToken) return undefined;
  }
  const heartbeat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    // Another machine may have taken over the lock of a suspended process.
    if ((await readFile(file, 'utf8').catch(() => '')) === ownerToken) await rm(file, { force: true });
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
