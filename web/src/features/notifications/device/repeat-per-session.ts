import { accessToken, onTokensChange, tokenSession } from '#lib/api/tokens.ts';

/**
 * Runs `renew` now, and again in another session or on another day: subscriptions end with their session, which gets
 * another id with a new password, and when they are not renewed for weeks. If it returns false, it is repeated with the
 * next token. Returns a function that stops it.
 */
export function repeatPerSession(renew: () => Promise<boolean>): () => void {
  let lastKey: string | undefined;
  const check = () => {
    const key = `${tokenSession()} ${new Date().toDateString()}`;
    if (accessToken() === null || key === lastKey) return;
    lastKey = key;
    void renew().then((hasSucceeded) => {
      if (!hasSucceeded && lastKey === key) lastKey = undefined;
    });
  };
  check();
  return onTokensChange(check);
}
