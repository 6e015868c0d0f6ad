import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { tabStorage } from '#lib/storage.ts';

/**
 * Removes the token from the URL immediately, so that it appears in no bookmark, history, or screenshot. The
 * tab keeps it across reloads.
 */
export function useLinkToken(name: string): { token: string | null; forget: () => void } {
  const [params, setParams] = useSearchParams();
  const { pathname, state } = useLocation();
  const key = `atrium:link:${pathname}:${name}`;
  const urlToken = params.get(name);
  const [token, setToken] = useState(() => urlToken ?? tabStorage.read(key));
  if (urlToken !== null && urlToken !== token) setToken(urlToken);
  useEffect(() => {
    if (urlToken === null) return;
    tabStorage.write(key, urlToken);
    const otherParams = new URLSearchParams(params);
    otherParams.delete(name);
    setParams(otherParams, { replace: true, state });
  }, [urlToken, key, name, params, setParams, state]);
  return { token: token || null, forget: () => tabStorage.remove(key) };
}
