/** Takes `perMinute` on the long run, a tenth of it at once; answers whether there was one to take. */
export function createTokenBucket(perMinute: number, now = () => performance.now()): () => boolean {
  const most = Math.max(1, perMinute / 10);
  let left = most;
  let at = now();
  return () => {
    const moment = now();
    left = Math.min(most, left + ((moment - at) * perMinute) / 60_000);
    at = moment;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
