/** Allows `perMinute` on average, with bursts of a tenth of that. The returned function takes a token, if there is one. */
export function createTokenBucket(perMinute: number, now = () => performance.now()): () => boolean {
  const capacity = Math.max(1, perMinute / 10);
  let tokens = capacity;
  let updatedAt = now();
  return () => {
    const time = now();
    tokens = Math.min(capacity, tokens + ((time - updatedAt) * perMinute) / 60_000);
    updatedAt = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
