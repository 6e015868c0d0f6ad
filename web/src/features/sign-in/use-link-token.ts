import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { tabStorage } from '#lib/session/storage.ts';

/**
 * The secret token of a link, removed from the URL immediately, so that it appears in no bookmark, history, or screenshot. The tab keeps
 * it across reloads until `forget` is called.
 */
export function useLinkToken(name: string): { token: string | null; forget: () => void } {
  const [params, setParams] = useSearchParams();
  const { pathname, state } = useLocation();
  const key = `atrium:link:${pathname}:${name}`;
  const given = params.get(name);
  const [token, setToken] = useState(() => given ?? tabStorage.read(key));
  if (given !== null && given !== token) setToken(given);
  useEffect(() => {
    if (given === null) return;
    tabStorage.write(key, given);
    const rest = new URLSearchParams(params);
    rest.delete(name);
    setParams(rest, { replace: true, state });
  }, [given, key, name, params, setParams, state]);
  return { token: token || null, forget: () => tabStorage.remove(key) };
}
