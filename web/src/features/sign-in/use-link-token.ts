import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/**
 * The secret that a link carried in its address, taken out of it at once, so that it is in no bookmark, history or screenshot. The
 * tab keeps it for a reload until `forget`.
 */
export function useLinkToken(name: string): { token: string | null; forget: () => void } {
  const [params, setParams] = useSearchParams();
  const { pathname, state } = useLocation();
  const key = `atrium:link:${pathname}:${name}`;
  const given = params.get(name);
  const [token, setToken] = useState(() => given ?? readKept(key));
  if (given !== null && given !== token) setToken(given);
  useEffect(() => {
    if (given === null) return;
    keep(key, given);
    const rest = new URLSearchParams(params);
    rest.delete(name);
    setParams(rest, { replace: true, state });
  }, [given, key, name, params, setParams, state]);
  return { token: token || null, forget: () => keep(key, null) };
}

function readKept(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, token);
  } catch {
    // Where a browser keeps nothing, only a reload asks for the link again.
  }
}
